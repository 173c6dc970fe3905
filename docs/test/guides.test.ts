/** Every block of every page is run, or says why not. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Block, findShown, type Page, pageOf, pagePaths, readPage } from "./blocks.ts";
import { checkHttp, checkJson } from "./check-data.ts";
import { type House, openHouse } from "./house.ts";
import { buildSdk, runProgram } from "./run-program.ts";
import { partsAboutIgnored, runShell } from "./run-shell.ts";

/** What truly cannot run here. Whoever adds to it changes this number, and somebody looks at it. */
const STILL_MAX = 12;
const KINDS = ["sh", "ts", "json", "sql", "http", "js", "python"];

/** What the pages ask of their readers. A machine without it sees so; `.ci/run` installs it. */
const missing = ["bash", "curl", "jq", "openssl"].filter((command) => spawnSync(command, ["--version"]).error !== undefined);
if (missing.length > 0) console.warn(`${missing.join(", ")} not installed: the blocks of the guides are not run`);

let sdk: string;
beforeAll(async () => {
  sdk = mkdtempSync(join(tmpdir(), "comanda-sdk-"));
  await buildSdk(sdk);
});
afterAll(() => rmSync(sdk, { recursive: true, force: true }));

const withHouse = async <T>(text: string, work: (house: House) => Promise<T>): Promise<T> => {
  const house = await openHouse({ hasMarket: text.includes("svc_app_") });
  try {
    return await work(house);
  } finally {
    await house.close();
  }
};

const isOf =
  (...languages: string[]) =>
  ({ language, still }: Block): boolean =>
    still === null && languages.includes(language);

const faultsIn = async (house: House, { blocks }: Page): Promise<string[]> => {
  house.seen.length = 0;
  const aboutIgnored = partsAboutIgnored(blocks);
  return [
    ...blocks.filter(isOf("json")).flatMap((block) => checkJson(block).map((fault) => `line ${block.line} ${fault}`)),
    ...blocks.filter(isOf("http")).flatMap((block) => checkHttp(block).map((fault) => `line ${block.line} ${fault}`)),
    ...(await runShell(blocks.filter(isOf("sh", "bash")), house)),
    ...(await runProgram(blocks.filter(isOf("ts")), house, sdk)),
    ...house.seen
      .filter(({ part }) => !aboutIgnored.includes(part))
      .flatMap(({ method, path, problems }) => problems.map((problem) => `${method} ${path}: ${problem}`)),
  ];
};

const pages = pagePaths().map(readPage);
const coded = ({ blocks }: Page): Block[] => blocks.filter(({ language }) => KINDS.includes(language));

describe.skipIf(missing.length > 0).each(pages.filter((page) => coded(page).length > 0))("$path", (page) => {
  test("every block does what the page says", async () => {
    expect(await withHouse(page.text, (house) => faultsIn(house, page))).toEqual([]);
  });
});

test("every block is run, checked, or says why it stands still; few do", () => {
  const all = pages.flatMap(coded);
  const still = all.filter((block) => block.still?.kind === "no-run");
  for (const page of pages) {
    const [count, idle] = [coded(page).length, coded(page).filter((block) => block.still?.kind === "no-run").length];
    if (count > 0) console.info(`${page.path}: ${count - idle} of ${count} blocks run`);
  }
  console.info(`all pages: ${all.length - still.length} of ${all.length} blocks run`);
  for (const { page, line, still: reason } of still) expect(reason?.why.split(" ").length, `${page}:${line}`).toBeGreaterThan(2);
  expect(still.length).toBeLessThanOrEqual(STILL_MAX);
  for (const { page, line, language, still: reason } of all)
    if (["js", "python", "sql"].includes(language)) expect(reason, `${page}:${line} is run by nobody`).not.toBeNull();
});

describe.skipIf(missing.length > 0)("a planted fault is seen", () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse({ hasMarket: false });
  });
  afterAll(() => house.close());
  const faultsOf = (planted: Page): Promise<string[]> => faultsIn(house, planted);
  const page = (language: string, text: string): Page => pageOf("planted.md", `\`\`\`${language}\n${text}\n\`\`\``);
  const order = (fields: string): string =>
    `curl -s http://127.0.0.1:4000/api/v1/orders -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"type":"pickup","customer_name":"Ada","customer_phone":"+39 06 1234",${fields}}'`;
  const DISH = `DISH=$(curl -s http://127.0.0.1:4000/api/v1/items -H "Authorization: Bearer $TOKEN" | jq '.data[] | select(.price_minor == 280) | .id')`;

  test("in shell: a wrong field, a field that nobody knows, a parameter too, a command that fails, an output that does not come", async () => {
    const lines = '"lines":[{"item_id":\'$DISH\',"quantity":1}]';
    expect(await faultsOf(page("sh", `${DISH}\n${order(lines)}\n# -> …"total_minor":280…`))).toEqual([]);
    expect(await faultsOf(page("sh", `${DISH}\n${order(lines)}\n# -> …"total_minor":281…`))).toHaveLength(1);
    expect(await faultsOf(page("sh", order('"lines":[{"item_id":0,"quantity":1}]')))).toEqual([expect.stringContaining("answered 422")]);
    expect(await faultsOf(page("sh", `${DISH}\n${order(`${lines},"colour":"red"`)}`))).toEqual([expect.stringContaining("colour")]);
    const list = 'curl -s "http://127.0.0.1:4000/api/v1/orders?stauts=placed" -H "Authorization: Bearer $TOKEN"';
    expect(await faultsOf(page("sh", list))).toEqual([expect.stringContaining("no parameter stauts")]);
    expect(await faultsOf(page("sh", "npm run -s comanda -- venue sell my-venue"))).toEqual([expect.stringContaining("unknown command")]);
  });

  test("in TypeScript: a field that the types do not have, and an output that does not come", async () => {
    const open =
      'import { createClient } from "@comanda/sdk";\nconst comanda = createClient({ rootUrl: "http://127.0.0.1:4000", token: process.env.TOKEN ?? "" });\n';
    const list = (filter: string, shown: string) =>
      `${open}console.log((await comanda.guests.list(${filter})).data.length);\n// -> ${shown}`;
    expect(await faultsOf(page("ts", list('{ marketing_opted_in: "true" }', "1")))).toEqual([]);
    expect(await faultsOf(page("ts", list('{ marketing_opted: "true" }', "1")))).toEqual([expect.stringContaining("marketing_opted")]);
    expect(await faultsOf(page("ts", list('{ marketing_opted_in: "true" }', "2")))).toHaveLength(1);
  });

  test("in JSON, and in what is shown with an ellipsis", async () => {
    expect((await faultsOf(page("json Guest", '{ "id": 1 }'))).join()).toContain("is no Guest");
    expect(findShown('{"a":1,\n "b":2}', '{…"b":2}')).toBe(15);
    expect(findShown('{"a":1}', '{…"b":2}')).toBe(-1);
  });
});
