/** The snippets are run against signatures of the server's own code; PHP and Go only where they are installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { signatureOf } from "../../../../server/src/platform/webhooks/sign.ts";
import { SNIPPETS } from "./snippets.ts";

const folder = mkdtempSync(join(tmpdir(), "comanda-snippets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = `whsec_${"aB3".repeat(13)}x`;
const OTHER = `whsec_${"zY9".repeat(13)}q`;
const body = '{"name":"Crème brûlée","price":"€ 7","note":"it\'s \\"ok\\""}';
const at = (ageSeconds: number) => new Date(Date.now() - ageSeconds * 1000);
const good = signatureOf(body, [SECRET], at(0));

/** Body, header, and whether it is genuine. */
const CASES: [string, string, boolean][] = [
  [body, good, true],
  [body, signatureOf(body, [OTHER, SECRET], at(0)), true],
  [body, signatureOf(body, [SECRET, OTHER], at(0)), true],
  [body, signatureOf(body, [SECRET], at(290)), true],
  [body, signatureOf(body, [SECRET], at(310)), false],
  [body, signatureOf(body, [SECRET], at(-310)), false],
  [body, signatureOf(body, [OTHER], at(0)), false],
  [`${body}\n`, good, false],
  [body, good.replace(/v1=.*/, "v1=00"), false],
  [body, good.replace(/v1=.*/, "v1=é"), false],
  [body, good.replace(/,v1=.*/, ""), false],
  [body, good.replace(/t=\d+/, "t=soon"), false],
  [body, "", false],
];
const expected = CASES.map(([, , isGood]) => isGood);
const given = JSON.stringify(CASES.map(([text, header]) => [text, header]));
const codeOf = (language: string): string => SNIPPETS.find(({ name }) => name === language)?.code ?? "";

test("TypeScript", async () => {
  const file = join(folder, "verify.ts");
  writeFileSync(file, codeOf("TypeScript"));
  const { isFromComanda } = (await import(/* @vite-ignore */ file)) as { isFromComanda: (...args: string[]) => boolean };
  expect(CASES.map(([text, header]) => isFromComanda(text, header, SECRET))).toEqual(expected);
});

const has = (program: string, flag = "--version"): boolean => spawnSync(program, [flag]).status === 0;

test.skipIf(!has("python3"))("Python", () => {
  const rest = `\nimport json, sys\nprint(json.dumps([is_from_comanda(b.encode(), h, ${JSON.stringify(SECRET)}) for b, h in json.load(sys.stdin)]))`;
  const { stdout, stderr } = spawnSync("python3", ["-c", codeOf("Python") + rest], { input: given, encoding: "utf8" });
  expect(JSON.parse(stdout || "null"), stderr).toEqual(expected);
});

test.skipIf(!has("php"))("PHP", () => {
  const rest = `\necho json_encode(array_map(fn($c) => isFromComanda($c[0], $c[1], ${JSON.stringify(SECRET)}), json_decode(stream_get_contents(STDIN), true)));`;
  const file = join(folder, "verify.php");
  writeFileSync(file, codeOf("PHP") + rest);
  const { stdout, stderr } = spawnSync("php", [file], { input: given, encoding: "utf8" });
  expect(JSON.parse(stdout || "null"), stderr).toEqual(expected);
});

test.skipIf(!has("go", "version"))("Go", () => {
  const code = codeOf("Go").replace("package webhooks", "package main").replace('"time"', '"time"\n\t"encoding/json"\n\t"os"\n\t"fmt"');
  const main = `\nfunc main() {\n\tvar cases [][]string\n\tjson.NewDecoder(os.Stdin).Decode(&cases)\n\tanswers := []bool{}\n\tfor _, c := range cases {\n\t\tanswers = append(answers, IsFromComanda([]byte(c[0]), c[1], ${JSON.stringify(SECRET)}))\n\t}\n\tout, _ := json.Marshal(answers)\n\tfmt.Println(string(out))\n}`;
  const file = join(folder, "main.go");
  writeFileSync(file, code + main);
  const { stdout, stderr } = spawnSync("go", ["run", file], { input: given, encoding: "utf8" });
  expect(JSON.parse(stdout || "null"), stderr).toEqual(expected);
});
