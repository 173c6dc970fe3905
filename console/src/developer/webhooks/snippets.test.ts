/** Runs the snippets against signatures of the server's code; Python, PHP and Go if they are installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { signatureOf } from "../../../../server/src/platform/events/webhooks/sign.ts";
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

type Runner = { program: string | null; run: (code: string) => Promise<boolean[]> };

const spawned = (program: string, args: string[]): boolean[] => {
  const { stdout, stderr } = spawnSync(program, args, { input: given, encoding: "utf8" });
  expect(stdout, stderr).not.toBe("");
  return JSON.parse(stdout) as boolean[];
};

const written = (name: string, text: string): string => {
  const file = join(mkdtempSync(join(folder, "run-")), name);
  writeFileSync(file, text);
  return file;
};

const GO_MAIN = `
func main() {
	var cases [][]string
	json.NewDecoder(os.Stdin).Decode(&cases)
	answers := []bool{}
	for _, c := range cases {
		answers = append(answers, IsFromComanda([]byte(c[0]), c[1], ${JSON.stringify(SECRET)}))
	}
	out, _ := json.Marshal(answers)
	fmt.Println(string(out))
}`;

const RUNNERS: Record<string, Runner> = {
  TypeScript: {
    program: null,
    run: async (code) => {
      const { isFromComanda } = (await import(/* @vite-ignore */ written("verify.ts", code))) as {
        isFromComanda: (...args: string[]) => boolean;
      };
      return CASES.map(([text, header]) => isFromComanda(text, header, SECRET));
    },
  },
  Python: {
    program: "python3 --version",
    run: async (code) => {
      const rest = `\nimport json, sys\nprint(json.dumps([is_from_comanda(b.encode(), h, ${JSON.stringify(SECRET)}) for b, h in json.load(sys.stdin)]))`;
      return spawned("python3", [written("verify.py", code + rest)]);
    },
  },
  PHP: {
    program: "php --version",
    run: async (code) => {
      const rest = `\necho json_encode(array_map(fn($c) => isFromComanda($c[0], $c[1], ${JSON.stringify(SECRET)}), json_decode(stream_get_contents(STDIN), true)));`;
      return spawned("php", [written("verify.php", code + rest)]);
    },
  },
  Go: {
    program: "go version",
    run: async (code) => {
      const whole = code.replace("package webhooks", "package main").replace('"time"', '"time"\n\t"encoding/json"\n\t"os"\n\t"fmt"');
      return spawned("go", ["run", written("main.go", whole + GO_MAIN)]);
    },
  },
};

/** Defects to plant in each snippet: what is missing, the original code, the defective code. */
const CARELESS: Record<string, [what: string, from: string, to: string][]> = {
  TypeScript: [
    ["the time", "<= 300", "<= 1e12"],
    ["the secret", '("sha256", secret)', '("sha256", "whsec_")'],
    ["all but the first signature", ".some((given)", ".slice(0, 1).some((given)"],
  ],
  Python: [
    ["the time", "> 300", "> 1e12"],
    ["the secret", "secret.encode()", 'b"whsec_"'],
    ["all but the first signature", "for value in given)", "for value in given[:1])"],
  ],
  PHP: [
    ["the time", "> 300", "> 1e12"],
    ["the body", "$t . '.' . $rawBody", "$t . '.'"],
    ["all but the first signature", "return true;\n    }", "return true;\n        return false;\n    }"],
  ],
  Go: [
    ["the time", "300*time.Second", "300000*time.Hour"],
    ["the body", "mac.Write(rawBody)", ""],
    ["all but the first signature", "return true\n\t\t}", "return true\n\t\t}\n\t\tbreak"],
  ],
};

const isInstalled = (command: string | null): boolean => {
  if (command === null) return true;
  const [program = "", ...flags] = command.split(" ");
  return spawnSync(program, flags).status === 0;
};

describe.each(Object.entries(RUNNERS))("%s", (language, { program, run }) => {
  const isThere = isInstalled(program);
  if (!isThere) console.warn(`${program?.split(" ")[0]} is not installed: the snippet in ${language} is not run`);

  test.skipIf(!isThere)("accepts what is right, and refuses another body, another secret and another time", async () => {
    expect(await run(codeOf(language))).toEqual(expected);
  });

  test.skipIf(!isThere).each(CARELESS[language] ?? [])("planted: a snippet that does not look at %s is found", async (_, from, to) => {
    const code = codeOf(language);
    expect(code).toContain(from);
    expect(await run(code.replace(from, to))).not.toEqual(expected);
  });
});

test("every shown language is run", () => {
  expect(Object.keys(RUNNERS)).toEqual(SNIPPETS.map(({ name }) => name));
});
