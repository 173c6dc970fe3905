/** Every console call that writes, when its answer is lost and the person presses again: one effect, and the first answer. */
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTries } from "../../../console/src/kit/write-tries.ts";
import type { ConsoleAnswer } from "../support/console-client.ts";
import { KEYED_CALL_IDS, type LostAnswerFindings, loseAnswer, pressTwice, type Repetition } from "../support/console-writes.ts";
import { type Digests, openDigests } from "../support/console-writes-digest.ts";
import { newCode } from "../support/console-writes-money.ts";
import { UNKEYED, type Unkeyed, unlikeReason, unnamedWrites } from "../support/console-writes-unkeyed.ts";
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
        async (findings) => [...findings.problems, ...(await secretProblems(id, findings))],
        (error: unknown) => [`${id}: ${error}`],
      )),
    );
  expect(problems).toEqual([]);
});

const SECRET_MEMBERS = ["token", "secret", "client_secret", "recovery_codes", "redirect_to"];
const NO_SECRET: Partial<Record<WrittenCallId, string>> = { denyConsent: "The address that the browser opens tells the app of a no." };

/** An answer with a secret is marked so, and neither the secret nor the key that opens it is stored as it is. */
const secretProblems = async (id: WrittenCallId, { answer, idempotencyKey }: LostAnswerFindings): Promise<string[]> => {
  const isSecret = !(id in NO_SECRET) && SECRET_MEMBERS.some((name) => answer.body?.data?.[name] !== undefined);
  const isMarked = consoleEntries.some(([one, { showsSecret }]) => one === id && showsSecret);
  if (isSecret !== isMarked) return [`${id}: ${isMarked ? "is marked, and shows no secret" : "shows a secret and is not marked"}`];
  return isSecret ? (await storedTexts(answer, idempotencyKey)).map((text) => `${id}: stores ${text}`) : [];
};

/** Which of these texts is in a stored answer as it is. */
const storedTexts = async ({ body }: ConsoleAnswer, idempotencyKey: string): Promise<string[]> => {
  const secrets: string[] = SECRET_MEMBERS.flatMap((name) => body.data[name] ?? []);
  const stored = await world.app.database.asOwner<{ row: string }>(
    "select k::text as row from idempotency_keys k union all select u::text from user_answers u",
  );
  return [...secrets, idempotencyKey].filter((text) => stored.some(({ row }) => row.includes(text)));
};

test("planted: a secret that is stored as it is is found", async () => {
  const findings = await loseAnswer(world, digests, "registerApp");
  await world.app.database.asOwner("update user_answers set body = $1", [findings.answer.text]);
  expect(await secretProblems("registerApp", findings)).toEqual([`registerApp: stores ${findings.answer.body.data.client_secret}`]);
});

test("every call that writes either has a key, or is named with a reason that holds", async () => {
  expect(unnamedWrites(consoleEntries)).toEqual([]);
  expect(Object.keys(UNKEYED).filter((id) => !isUnkeyedWrite(id))).toEqual([]);
  const problems: string[] = [];
  for (const [id, { reason, valid }] of Object.entries<Unkeyed>(UNKEYED))
    problems.push(
      ...unlikeReason(reason, await pressTwice(world, digests, id, await valid(world))).map((problem) => `${id}, ${reason}: ${problem}`),
    );
  expect(problems).toEqual([]);
});

const isUnkeyedWrite = (id: string): boolean =>
  consoleEntries.some(([one, { method, isIdempotent }]) => one === id && method !== "GET" && !isIdempotent);

test("planted: a write that has neither is found, and a reason that does not hold", async () => {
  const withoutKeys = consoleEntries.map(([id, { isIdempotent: _, ...operation }]) => [id, operation]) as typeof consoleEntries;
  expect(unnamedWrites(withoutKeys).toSorted()).toEqual(KEYED_CALL_IDS.toSorted());
  const asReads: Record<string, string[]> = {};
  for (const id of ["changeUser", "signOut"] as const)
    asReads[id] = unlikeReason("reads", await pressTwice(world, digests, id, await UNKEYED[id].valid(world)));
  expect(asReads).toMatchObject({
    changeUser: ["changes users"],
    signOut: [expect.stringMatching("changes .*sessions"), expect.anything()],
  });
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
