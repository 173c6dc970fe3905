/** `npm run check` refuses words that docs/glossary.md has replaced, a type name that is declared twice, and two test files of one name. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

export type TextFile = { path: string; text: string };

type ReplacedWord = { word: RegExp; instead: string };

const REPLACED: readonly ReplacedWord[] = [
  { word: /\b(whoever|whomever|somebody|nobody)\b/i, instead: "name the caller, user, process or request" },
  { word: /\bwhat came of (it|them)\b/i, instead: "the result" },
  { word: /\b(let|lets|letting) (him |her |them |it )?in\b/i, instead: "authorize, accept" },
  { word: /\b(turn|turns|turned) away\b/i, instead: "refuse, rate-limit" },
  { word: /\bhouses?\b|[a-z]House\b|\bHouse[A-Z]/, instead: "service, product, venue" },
  { word: /\bwings?\b/i, instead: "the folder's name" },
  { word: /\bdoors?\b|[a-z]Door\b/i, instead: "the folder's name, endpoint, listener" },
  { word: /(?<!\b(?:make|makes|making|have|has|leave|leaves) )(?<!\bno )\brooms?\b/i, instead: "module" },
  { word: /\blanes?\b|_lanes\b|[a-z]Lanes?\b/, instead: "endpoint lease, endpoint state" },
  { word: /\bstorms?\b|[a-z]Storm\b/i, instead: "stress test, race" },
  { word: /\bupkeep\b|\bkeepUp\b/i, instead: "retention, purge" },
  {
    word: /\bforget_|\bforgets?\b|\bforgotten\b(?! password)|\bforget[A-Z]|\bforgetful|\bforgetting\b/,
    instead: "erase, purge, delete, drop",
  },
  { word: /\bvisitors?\b/i, instead: "principal, session user" },
  { word: /\baskers?\b|[a-z]Asker\b/i, instead: "queue scope, caller" },
  // `demo --json` has a key of this name.
  { word: /(?<![.\w"])strangers?\b(?!:)|[a-z]Stranger/, instead: "anonymous, unauthenticated, unknown" },
  { word: /\bletterhead\b/i, instead: "message header" },
  { word: /\bguilty\b|untilGuilty/i, instead: "until detected" },
  { word: /\benter_venue\b|\benterVenue\b/, instead: "lockSandbox, assert_venue_not_moving" },
  { word: /\b(person_links|availability_flips|token_hours|sales_days|told_at|table_shown)\b/, instead: "the names in db/schema.sql" },
  { word: /\b(REQUESTS_AT_ONCE_MAX|DRAIN_MS|SECRET_KEYS)\b/, instead: "MAX_CONCURRENT_REQUESTS, SHUTDOWN_GRACE_MS, ENCRYPTION_KEYS" },
  { word: /\b(tellGuest|tellOwners|tellProxy|tellChange)\b/, instead: "notify" },
  { word: /\b(UNSPEAKABLE|AT_THE_KEYBOARD|NowhereToGo|Misuse|inHouse)\b/, instead: "the names in docs/glossary.md" },
  { word: /\b(un)?[sS]eal(s|ed|ing)?\b|\bsealed[A-Z]|[a-z]Sealed\b|\bSEALED_/, instead: "encrypt, decrypt" },
  { word: /\banew\b/, instead: "again" },
  { word: /\blives? (in|here|there|elsewhere)\b/, instead: "is in, is stored in" },
  { word: /\b(deadEnd|personId)\b|[a-z]Person\b|PER_PERSON\b/, instead: "errorPage, userId, user" },
  { word: /\broll(s|ed|ing)? (the |a |its )?(secret|token)s?\b|\bbe rolled:/i, instead: "rotate" },
  { word: /\bhears? of\b/, instead: "get, receive" },
  { word: /\bwitness(es)?\b|\bpoison(ed)?\b/i, instead: "detector, payload" },
];

/** Files whose text we do not choose: generated, published in an earlier version, or the list of replaced words itself. */
const SKIPPED =
  /package-lock|[.]generated[.]|openapi[.]json|schema[.]json|^CHANGELOG|^LICENSE|^server\/samples\/|^scripts\/vocabulary|\/texts\/ar/;

/** Texts of the published OpenAPI document keep their bytes, also where the contract or a guide repeats them. */
const publishedTexts = (): string[] => {
  const texts: string[] = [];
  JSON.parse(readFileSync("server/openapi.json", "utf8"), (_, value: unknown) => {
    if (typeof value === "string" && value.length > 20) texts.push(value, ...value.split("\n\n"));
    return value;
  });
  return texts;
};

const KNOWN_KINDS = /[.](ts|tsx|mjs|css|html|sql|md|json|yaml|service|conf)$|^[.]ci\/run$/;

/** The line repeats a published text, or its string literal is a part of one. */
const isPublished = (line: string, word: RegExp, published: readonly string[]): boolean => {
  const [, literal] = /"([^"]{20,})"/.exec(line) ?? [];
  return published.some((text) => word.test(text) && (line.includes(text) || (literal !== undefined && text.includes(literal))));
};

export const replacedWords = (files: readonly TextFile[], published: readonly string[] = []): string[] =>
  files.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) =>
      REPLACED.flatMap(({ word, instead }) => {
        const [found] = word.exec(line) ?? [];
        if (found === undefined || isPublished(line, word, published)) return [];
        return [`${path}:${index + 1} says "${found}": ${instead}`];
      }),
    ),
  );

/** The SDK exports types under the contract's names, and two files hold the text of generated ones. */
const OTHER_TYPES = /^sdk\/src\/|^server\/src\/db\/introspect[.]ts$|^scripts\/sdk-types[.]ts$/;

export const repeatedTypes = (files: readonly TextFile[]): string[] => {
  const places = new Map<string, Set<string>>();
  for (const { path, text } of files.filter(({ path }) => /[.]tsx?$/.test(path) && !OTHER_TYPES.test(path)))
    for (const [, name = ""] of text.matchAll(/^(?:export )?(?:declare )?(?:type|interface) (\w+)/gm))
      places.set(name, (places.get(name) ?? new Set()).add(path));
  return [...places].flatMap(([name, paths]) => (paths.size > 1 ? [`The type ${name} is declared in ${[...paths].join(", ")}`] : []));
};

export const repeatedTestFiles = (files: readonly TextFile[]): string[] => {
  const places = Map.groupBy(
    files.filter(({ path }) => /[.]test[.]tsx?$/.test(path)),
    ({ path }) => path.split("/").at(-1) ?? "",
  );
  return [...places].flatMap(([name, same]) =>
    same.length > 1 ? [`${name} exists ${same.length} times: ${same.map(({ path }) => path).join(", ")}`] : [],
  );
};

export const projectFiles = (): TextFile[] =>
  execFileSync("git", ["ls-files"], { encoding: "utf8" })
    .split("\n")
    .filter((path) => KNOWN_KINDS.test(path) && !SKIPPED.test(path) && existsSync(path))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));

if (import.meta.main) {
  const files = projectFiles();
  const faults = [...replacedWords(files, publishedTexts()), ...repeatedTypes(files), ...repeatedTestFiles(files)];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exit(faults.length === 0 ? 0 : 1);
}
