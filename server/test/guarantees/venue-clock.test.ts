/**
 * A module that asks the process or the database for the time would not follow the clock of a sandbox. `ctx.now` is the venue's time, and
 * `realNow` is for those modules that stay on the real clock.
 */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { placeOf } from "../../../scripts/groups.ts";

type ModuleFile = { path: string; text: string };

const ROOT = new URL("../../src/", import.meta.url);
const FILES: ModuleFile[] = globSync("{platform,venue}/**/*.ts", { cwd: ROOT })
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => ({ path, text: readFileSync(new URL(path, ROOT), "utf8") }));

/** Modules of the venue that go by the real clock, as the platform does: access, deliveries, messages and records. `now` there is that of a call without a venue. */
const ON_REAL_CLOCK = ["venue/sandbox", "venue/kitchen/screens"];
/** Files of them that need the venue's time too, and files of the venue that need the real one. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "platform/events/service.ts": "an event says when it happened on the venue's clock",
  "venue/team/service.ts": "when an invitation ends",
  "venue/menu/service/editor.ts": "how many bytes of events were told lately",
};
/** A clock of their own: of a process, of a row that no answer shows, or of a message that no venue has stored. */
const OWN_CLOCK: Readonly<Record<string, string>> = {
  "platform/events/webhook-deliveries/jobs/delivery-engine.ts": "the time of an attempt is real",
  "platform/events/webhooks/service/messages.ts": "the check of an address has no context",
  "platform/jobs/store.ts": "the queue is on the real clock",
  "venue/kitchen/store.ts": "the version of a ticket",
  "venue/settings/store.ts": "how old the closing days are that are read",
};

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
const ASKS_PROCESS =
  /\bnew Date\(\)|\bDate\.now\(\)|\bclock\.(now|ofDatabase|ofChange)\(|\b(now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\b(current_timestamp|localtimestamp|current_date)\b/i;

const faultsOf = (files: readonly ModuleFile[]): string[] =>
  files.flatMap(({ path, text }) => {
    const code = withoutComments(text).replaceAll("performance.now()", "");
    const isReal = path.startsWith("platform/") || ON_REAL_CLOCK.includes(placeOf(`server/src/${path}`)?.module ?? "");
    const isExcepted = path in EXCEPTIONS;
    return [
      ...(ASKS_PROCESS.test(code) && !(path in OWN_CLOCK) ? [`${path} asks the process or the database for the time`] : []),
      ...(isReal && !isExcepted && /\bctx\.now\b/.test(code) ? [`${path} goes by the venue's clock`] : []),
      ...(path.startsWith("venue/") && !isReal && !isExcepted && /\brealNow\b/.test(code) ? [`${path} goes by the real clock`] : []),
    ];
  });

test("modules take the time from their context, and each from the clock that it belongs to", () => {
  expect(FILES.length).toBeGreaterThan(300);
  expect(faultsOf(FILES)).toEqual([]);
});

test("every exception is needed", () => {
  for (const path of Object.keys(OWN_CLOCK))
    expect([path, FILES.some((file) => file.path === path && ASKS_PROCESS.test(withoutComments(file.text)))]).toEqual([path, true]);
  for (const path of Object.keys(EXCEPTIONS))
    expect([path, FILES.some((file) => file.path === path && /\bctx\.now\b|\brealNow\b/.test(file.text))]).toEqual([path, true]);
});

test.each([
  ["venue/orders/rules.ts", "export const isOpen = () => Date.now() > 0;"],
  ["venue/orders/service.ts", "const now = new Date();"],
  ["venue/orders/store.ts", "sql`update orders set updated_at = now()`"],
  ["venue/orders/store.ts", "const at = realNow(ctx);"],
  ["platform/programs/tokens/store.ts", "const at = ctx.now;"],
])("planted: %s with %s is found", (path, text) => {
  expect(faultsOf([{ path, text }])).toHaveLength(1);
});
