/** Maps test titles and results to the requirements of the ledger. */
import { type Requirement, SECTIONS } from "./ledger.ts";

export type TestOutcome = { readonly name: string; readonly state: "passed" | "failed" | "skipped" };

type Standing = "passed" | "failed" | "missing" | "held by server" | "later";

type CoverageEntry = Requirement & { readonly standing: Standing; readonly tests: readonly TestOutcome[] };

export type Coverage = {
  readonly entries: readonly CoverageEntry[];
  /** Ids named by a test but absent from the ledger. */
  readonly unknownIds: readonly string[];
};

const ID = /^R(?:X|\d+(?:\.\d+)?)-\d{2,}$/;

/** The ids a test name begins with: every leading word that has the form of one. */
export const idsOf = (testName: string): string[] => {
  const words = testName.split(/[\s,]+/);
  const end = words.findIndex((word) => !ID.test(word));
  return end === -1 ? words : words.slice(0, end);
};

export const coverageOf = (ledger: readonly Requirement[], tests: readonly TestOutcome[]): Coverage => {
  const known = new Set(ledger.map(({ id }) => id));
  const named = new Set(tests.flatMap(({ name }) => idsOf(name)));
  return {
    entries: ledger.map((requirement) => {
      const own = tests.filter(({ name }) => idsOf(name).includes(requirement.id));
      return { ...requirement, standing: standingOf(requirement, own), tests: own };
    }),
    unknownIds: [...named].filter((id) => !known.has(id)),
  };
};

const standingOf = (requirement: Requirement, tests: readonly TestOutcome[]): Standing => {
  if (tests.some(({ state }) => state === "failed")) return "failed";
  if (tests.some(({ state }) => state === "passed")) return "passed";
  if (requirement.heldBy) return "held by server";
  return requirement.applies === "later" ? "later" : "missing";
};

/** Faults of a full run. */
export const shortfall = ({ entries, unknownIds }: Coverage): string[] => [
  ...entries.filter(({ standing }) => standing === "failed").map(({ id }) => `${id} has a failing test`),
  ...entries.filter(({ standing }) => standing === "missing").map(({ id }) => `${id} applies and has no passing test`),
  ...unknownIds.map((id) => `${id} is named by a test and is not in the ledger`),
];

export const coverageTable = ({ entries }: Coverage): string[] => {
  const rows = SECTIONS.map(({ section, title }) => {
    const own = entries.filter((entry) => entry.section === section);
    const count = (standing: Standing) => own.filter((entry) => entry.standing === standing).length;
    const passed = count("passed");
    const applicable = passed + count("failed") + count("missing");
    return [section, title, `${passed}/${applicable}`, cell(count("held by server")), cell(count("later"))];
  });
  return columns([["section", "about", "covered", "held by server", "later"], ...rows]);
};

const cell = (count: number): string => (count === 0 ? "" : String(count));

const columns = (rows: string[][]): string[] => {
  const widths = rows.reduce<number[]>((all, row) => row.map((text, index) => Math.max(all[index] ?? 0, text.length)), []);
  return rows.map((row) =>
    row
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};
