/** Every console call with a key, when its answer is lost and the person presses again: one effect, and the first answer. */
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTries } from "../../../console/src/kit/write-tries.ts";
import { KEYED_CALL_IDS, loseAnswer, type Repetition } from "../support/console-writes.ts";
import { type Digests, openDigests } from "../support/console-writes-digest.ts";
import { newCode } from "../support/console-writes-money.ts";
import { openWorld, type WritesWorld, type WrittenCallId } from "../support/console-writes-world.ts";

let world: WritesWorld;
let digests: Digests;

beforeAll(async () => {
  world = await openWorld();
  digests = await openDigests(world.app);
});
afterAll(() => world.app.close());

test("a write whose answer is lost and that is pressed again has one effect, for every call that has a key", async () => {
  const keyed = consoleEntries.filter(([, { isIdempotent }]) => isIdempotent).map(([id]) => id);
  expect([...KEYED_CALL_IDS].sort()).toEqual(keyed.sort());
  expect(digests.tables.length).toBeGreaterThan(60);
  const problems: string[] = [];
  for (const id of KEYED_CALL_IDS)
    problems.push(
      ...(await loseAnswer(world, digests, id).then(
        ({ problems: found }) => found,
        (error: unknown) => [`${id}: ${error}`],
      )),
    );
  expect(problems).toEqual([]);
});

/** A new page draws another code, as it does for each card. */
const WITH_NEW_KEYS: Repetition = {
  triesOfNextPress: () => createTries(),
  contentOfNextPress: (content) =>
    content.id.endsWith("GiftCard") ? { ...content, body: { ...(content.body as object), code: newCode() } } : content,
};

const CREATING = {
  recordDelivery: "stock_entries",
  recordWaste: "stock_entries",
  addIngredient: "ingredients",
  sellGiftCard: "gift_cards",
  giveGiftCard: "gift_cards",
  addToWaitlist: "waitlist_entries",
  makeBooking: "reservations",
  placeStaffOrder: "orders",
} as const satisfies Partial<Record<WrittenCallId, string>>;

/** The server refuses what would be twice at one time. The person would see a refusal of what was done. */
const REFUSED_TWICE: readonly WrittenCallId[] = ["addShift", "blockTables"];

test("planted: with a new key for each press a second effect is found", async () => {
  const found: Record<string, string> = {};
  for (const [id, table] of Object.entries(CREATING)) {
    const { problems, changed } = await loseAnswer(world, digests, id as WrittenCallId, WITH_NEW_KEYS);
    found[id] = changed.includes(table) ? table : problems.join("; ");
  }
  expect(found).toEqual(CREATING);
  for (const id of REFUSED_TWICE) {
    const { problems } = await loseAnswer(world, digests, id, WITH_NEW_KEYS);
    expect(problems[0]).toMatch(`${id}: then 422 `);
  }
});
