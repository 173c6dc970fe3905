/** The table of promises in docs/figures.md, with the figures of the stress tests below it. README.md repeats the first three. */
import { splitAt, table } from "./settings-table.ts";

const BEGIN = "<!-- made by `npm run generate` from the stress tests below -->";
const END = "<!-- end of what is made -->";

const grouped = (digits: string): string => Number(digits).toLocaleString("en-US");

/** The groups of the pattern at its only match. It throws without a match: no figure is guessed. */
const read = (figures: string, pattern: RegExp): string[] => {
  const found = [...figures.matchAll(new RegExp(pattern, "g"))];
  const [only, another] = found;
  if (!only || another) throw new Error(`docs/figures.md has ${found.length} places for ${pattern}, not one.`);
  return only.slice(1);
};

export const promisesOf = (figures: string): string[][] => {
  const [kills = ""] = read(figures, /: (?:TEST_)?SEED=\d+ (\d{3,}) kills in/);
  const [writes = "", deliveries = "", lost = "", doubled = ""] = read(
    figures,
    / \d{3,} kills in .*\n {2}\{"acknowledged":(\d+),.*?"deliveries":(\d+),.*\n {2}lost (\d+), doubled (\d+),/,
  );
  const [cases = "", leaks = ""] = read(figures, /, both [a-z]+: (\d+) cases, (\d+) leaks/);
  const [revoked = "", pace = "", after = "", late = ""] = read(
    figures,
    /revocations: \{"revoked":(\d+),.*?"perSecond":(\d+),.*?"after":(\d+),"late":(\d+),/,
  );
  const [rounds = "", parties = "", problems = ""] = read(figures, /T6\.2: (\d+) rounds × (\d+): .*?, (\d+) problems/);
  return [
    [
      "no acknowledged write is lost or doubled",
      `${grouped(kills)} kills of API, worker and PostgreSQL under load: \`TEST_KILLS=${kills} npm test -- process-kills\``,
      `${grouped(writes)} writes, ${grouped(deliveries)} deliveries: ${lost} lost, ${doubled} doubled`,
    ],
    [
      "no venue sees another",
      "every operation with every id of others: `TEST_STRESS=1 npm test -- tenant-isolation`",
      `${leaks} leaks in ${grouped(cases)} cases; a foreign id looks like an unknown one`,
    ],
    [
      "revoked means now",
      `${grouped(revoked)} revocations under ${pace} requests a second, two processes: \`TEST_STRESS=1 npm test -- revocation-under-load\``,
      `${late} of ${grouped(after)} later requests authorized`,
    ],
    [
      "a table is never given twice",
      `${parties} parties racing for the last one, ${rounds} times: \`TEST_STRESS=1 npm test -- last-table\``,
      `one wins each time, ${problems} problems`,
    ],
    [
      "nothing is sent into your own network",
      "special addresses in every spelling, names that lead there, answers that change, redirects: `npm test -- platform/events/webhooks`",
      "0 connections",
    ],
    ["the contract, line by line", "`npm run conformance`", "every requirement that applies"],
    ["the console for everybody", "axe on every page, light, dark, phone, Arabic: `npm run e2e`", "0 violations"],
  ];
};

/** Where the table stands in a new page. */
export const PROMISES_PLACE = `${BEGIN}\n\n${END}\n`;

export const withPromises = (figures: string): string => {
  const [before, after] = splitAt(figures, BEGIN, END);
  return `${before}${BEGIN}\n\n${table([["promise", "how it was tried", "seen"], ...promisesOf(figures)])}\n\n${after}`;
};
