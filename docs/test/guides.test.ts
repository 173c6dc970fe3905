/**
 * Every block of every page runs, or gives a reason why not.
 *
 * @long
 */
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InstalledCli, installCli } from "../../cli/test/installed-cli.ts";
import { TAB_LANGUAGES, type TabLanguage, TYPESCRIPT } from "../site/tabs.ts";
import { type Block, type DocPage, findShown, isOf, pageOf, pagePaths, readPage } from "./blocks.ts";
import { checkHttp, checkJson } from "./check-data.ts";
import { type GuideEnvironment, needsOwnService, openGuide } from "./guide-environment.ts";
import { type GuideService, startGuideService } from "./guide-service.ts";
import { type PreparedVenues, prepareVenues } from "./prepared-venues.ts";
import { findTypeFaults, runProgram, type TypeFaults } from "./run-program.ts";
import { partsAboutIgnored, runShell } from "./run-shell.ts";
import { runTabs, tabsOf } from "./run-tabs.ts";

/** Blocks that cannot run in a test. Raise the number only with a reason. */
const SKIPPED_MAX = 12;
const KINDS = ["sh", "ts", "json", "sql", "http", "js", "python"];

/** Commands that the pages need. Without them the blocks are skipped with a warning; `.ci/run` installs them. */
const missing = ["bash", "curl", "jq", "openssl", "python3"].filter((command) => spawnSync(command, ["--version"]).error !== undefined);
if (missing.length > 0) console.warn(`${missing.join(", ")} not installed: the blocks of the guides are not run`);

/** The built packages, and the command. */
let built: InstalledCli;
let venues: PreparedVenues;
/** Pages share this service when they leave nothing behind but in the sandbox and in the own venue; each page gets new ones. */
let shared: GuideService;
let types: TypeFaults;
beforeAll(async () => {
  [venues, built] = await Promise.all([prepareVenues(), installCli()]);
  [shared, types] = await Promise.all([startGuideService(venues), findTypeFaults(pages, built.folder)]);
});
afterAll(async () => {
  await shared.close();
  await venues.drop();
  built.remove();
});

const withEnvironment = async <T>(run: string, work: (environment: GuideEnvironment) => Promise<T>): Promise<T> => {
  const service = needsOwnService(run) ? await startGuideService(venues) : shared;
  try {
    const environment = await openGuide(service, run, built.programs);
    return await work(environment).finally(() => environment.close());
  } finally {
    if (service !== shared) await service.close();
  }
};

/** The text of what is run of a page. */
const runTextOf = ({ blocks }: DocPage): string =>
  blocks
    .filter(isOf("sh", "bash", "ts"))
    .map(({ text }) => text)
    .join("\n");

const faultsIn = async (environment: GuideEnvironment, page: DocPage, typed: TypeFaults): Promise<string[]> => {
  const { blocks } = page;
  environment.calls.length = 0;
  const aboutIgnored = partsAboutIgnored(blocks);
  return [
    ...blocks.filter(isOf("json")).flatMap((block) => checkJson(block).map((fault) => `line ${block.line} ${fault}`)),
    ...blocks.filter(isOf("http")).flatMap((block) => checkHttp(block).map((fault) => `line ${block.line} ${fault}`)),
    ...(await runShell(blocks.filter(isOf("sh", "bash")), environment)),
    ...(await runProgram(page, environment, built.folder, typed)),
    ...environment.calls
      .filter(({ part }) => !aboutIgnored.includes(part))
      .flatMap(({ method, path, problems }) => problems.map((problem) => `${method} ${path}: ${problem}`)),
  ];
};

const pages = pagePaths().map(readPage);
const coded = ({ blocks }: DocPage): Block[] => blocks.filter(({ language }) => KINDS.includes(language));

describe.skipIf(missing.length > 0).each(pages.filter((page) => coded(page).length > 0))("$path", (page) => {
  test("every block does what the page says", async () => {
    expect(await withEnvironment(runTextOf(page), (environment) => faultsIn(environment, page, types))).toEqual([]);
  });
});

const tabbed = pages.filter((page) => TAB_LANGUAGES.some((language) => tabsOf(page, language).length > 0));

describe.skipIf(missing.length > 0).each(tabbed)("$path", (page) => {
  test.each(TAB_LANGUAGES.map((language) => [language.name, language] as const))(
    "the tabs in %s do what the page says",
    async (_, language) => {
      expect(await withEnvironment(runTextOf(page), (environment) => runTabs(page, language, environment))).toEqual([]);
    },
  );
});

/** What these blocks call is not an operation, needs no token, or stands beside the same in TypeScript. */
const SHELL_ALONE = ["README.md", "docs/guide/operator/monitoring.md", "docs/guide/developer/versioning.md"];

const inShellAlone = (page: DocPage, language: TabLanguage): string[] => {
  const shown = tabsOf(page, language).length;
  const wanted = page.blocks.filter((block) => isOf("sh")(block) && /(^|[^.])\bcurl\b/.test(block.text)).length;
  return shown < wanted && !SHELL_ALONE.includes(page.path) ? [`${page.path} in ${language.name}: ${shown} of ${wanted}`] : [];
};

test("every block with a call of the API is there in every language", () => {
  expect(TAB_LANGUAGES.flatMap((language) => pages.flatMap((page) => inShellAlone(page, language)))).toEqual([]);
  console.info(`tabs: ${tabbed.map((page) => `${page.path} ${tabsOf(page, TYPESCRIPT).length}`).join(", ")}`);
  const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
  const call = block("sh", "curl -s $API/menus");
  expect(inShellAlone(pageOf("planted.md", `${call}\n\n${block("ts tab", "show(1);")}`), TYPESCRIPT)).toEqual([]);
  expect(inShellAlone(pageOf("planted.md", call), TYPESCRIPT), "planted").toEqual(["planted.md in TypeScript: 0 of 1"]);
});

test("every block is run, checked, or says why it is skipped; few are", () => {
  const all = pages.flatMap(coded);
  const skip = all.filter((block) => block.skip?.kind === "no-run");
  for (const page of pages) {
    const [count, idle] = [coded(page).length, coded(page).filter((block) => block.skip?.kind === "no-run").length];
    if (count > 0) console.info(`${page.path}: ${count - idle} of ${count} blocks run`);
  }
  console.info(`all pages: ${all.length - skip.length} of ${all.length} blocks run`);
  for (const { page, line, skip: reason } of skip) expect(reason?.why.split(" ").length, `${page}:${line}`).toBeGreaterThan(2);
  expect(skip.length).toBeLessThanOrEqual(SKIPPED_MAX);
  for (const { page, line, language, note, skip: reason } of all)
    if (["js", "python", "sql"].includes(language) && !note.startsWith("tab"))
      expect(reason, `${page}:${line} is run by no test`).not.toBeNull();
});

describe.skipIf(missing.length > 0)("a planted fault is seen", () => {
  let environment: GuideEnvironment;
  beforeAll(async () => {
    environment = await openGuide(shared, "", built.programs);
  });
  afterAll(() => environment.close());
  const faultsOf = (planted: DocPage, typed: TypeFaults = new Map()): Promise<string[]> => faultsIn(environment, planted, typed);
  const page = (language: string, text: string): DocPage => pageOf("planted.md", `\`\`\`${language}\n${text}\n\`\`\``);
  const order = (fields: string): string =>
    `curl -s http://127.0.0.1:4000/api/v1/orders -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"type":"pickup","customer_name":"Ada","customer_phone":"+39 06 1234",${fields}}'`;
  const DISH = `DISH=$(curl -s http://127.0.0.1:4000/api/v1/items -H "Authorization: Bearer $TOKEN" | jq '.data[] | select(.price_minor == 280) | .id')`;

  test("in shell: a wrong field, an unknown field, a parameter too, a command that fails, an output that does not come", async () => {
    const lines = '"lines":[{"item_id":\'$DISH\',"quantity":1}]';
    expect(await faultsOf(page("sh", `${DISH}\n${order(lines)}\n# -> …"total_minor":280…`))).toEqual([]);
    expect(await faultsOf(page("sh", `${DISH}\n${order(lines)}\n# -> …"total_minor":281…`))).toHaveLength(1);
    expect(await faultsOf(page("sh", order('"lines":[{"item_id":0,"quantity":1}]')))).toEqual([expect.stringContaining("answered 422")]);
    expect(await faultsOf(page("sh", `${DISH}\n${order(`${lines},"colour":"red"`)}`))).toEqual([expect.stringContaining("colour")]);
    const list = 'curl -s "http://127.0.0.1:4000/api/v1/orders?stauts=placed" -H "Authorization: Bearer $TOKEN"';
    expect(await faultsOf(page("sh", list))).toEqual([expect.stringContaining("no parameter stauts")]);
    expect(await faultsOf(page("sh", "npm run -s comanda-admin -- venue sell my-venue"))).toEqual([
      expect.stringContaining("unknown command"),
    ]);
  });

  test("in TypeScript: a field that the types do not have, and an output that does not come", async () => {
    const open =
      'import { createClient } from "@comanda/sdk";\nconst comanda = createClient({ rootUrl: "http://127.0.0.1:4000", token: process.env.TOKEN ?? "" });\n';
    const list = (filter: string, shown: string) =>
      `${open}console.log((await comanda.guests.list(${filter})).data.length);\n// -> ${shown}`;
    const [right, untyped, other] = [
      page("ts", list("{ marketing_opted_in: true }", "1")),
      page("ts", list("{ marketing_opted: true }", "1")),
      page("ts", list("{ marketing_opted_in: true }", "2")),
    ];
    const typed = await findTypeFaults([right, untyped, other], built.folder);
    expect(await faultsOf(right, typed)).toEqual([]);
    expect(await faultsOf(untyped, typed)).toEqual([expect.stringContaining("marketing_opted")]);
    expect(await faultsOf(other, typed)).toHaveLength(1);
  });

  test.each(TAB_LANGUAGES.map((language) => [language.name, language] as const))(
    "in a tab in %s: a wrong field, another output",
    async (_, language) => {
      const [get, end, comment] = language === TYPESCRIPT ? ["await call", ";", "//"] : ["call", "", "#"];
      const shownBy = (member: string, shown: string) =>
        pageOf(
          "planted.md",
          `\`\`\`sh\ncurl -s $API/restaurant\n\`\`\`\n\n\`\`\`${language.fence} tab begin\nshow((${get}("GET", "/restaurant"))["data"]${member}["currency"])${end}\n${comment} -> ${shown}\n\`\`\``,
        );
      expect(await runTabs(shownBy('["restaurant"]', "EUR"), language, environment)).toEqual([]);
      expect(await runTabs(shownBy('["restaurant"]', "USD"), language, environment)).toEqual([expect.stringContaining("USD")]);
      expect((await runTabs(shownBy('["venue"]', "EUR"), language, environment)).join()).toContain("ended with 1");
    },
  );

  test("in JSON, and in what is shown with an ellipsis", async () => {
    expect((await faultsOf(page("json Guest", '{ "id": 1 }'))).join()).toContain("is no Guest");
    expect(findShown('{"a":1,\n "b":2}', '{…"b":2}')).toBe(15);
    expect(findShown('{"a":1}', '{…"b":2}')).toBe(-1);
  });
});
