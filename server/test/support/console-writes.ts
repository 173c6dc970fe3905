/** A valid write for every console call that has a key, and what happens when it is pressed twice because its answer was lost. */
import { createTries } from "../../../console/src/kit/write-tries.ts";
import { type ConsoleAnswer, type ConsoleCallOptions, consoleCall } from "./console-client.ts";
import { accessScenarios } from "./console-writes-access.ts";
import { billScenarios } from "./console-writes-bills.ts";
import { bookingScenarios } from "./console-writes-bookings.ts";
import type { Digest, Digests } from "./console-writes-digest.ts";
import { experienceScenarios } from "./console-writes-experiences.ts";
import { guestScenarios } from "./console-writes-guests.ts";
import { menuScenarios } from "./console-writes-menu.ts";
import { moneyScenarios } from "./console-writes-money.ts";
import { orderScenarios } from "./console-writes-orders.ts";
import { peopleScenarios } from "./console-writes-people.ts";
import { settingScenarios } from "./console-writes-settings.ts";
import { stockScenarios } from "./console-writes-stock.ts";
import type { PressedTwice } from "./console-writes-unkeyed.ts";
import { operationOf, type Scenarios, type WritesWorld, type WrittenCallId } from "./console-writes-world.ts";

type WriteTries = ReturnType<typeof createTries>;
/** A call and what it sends. */
type PressContent = Parameters<WriteTries["begin"]>[0];

/** A call without an entry does not compile. */
const VALID_WRITES: Scenarios = {
  ...orderScenarios,
  ...billScenarios,
  ...moneyScenarios,
  ...bookingScenarios,
  ...guestScenarios,
  ...stockScenarios,
  ...experienceScenarios,
  ...menuScenarios,
  ...settingScenarios,
  ...accessScenarios,
  ...peopleScenarios,
};

export const KEYED_CALL_IDS = Object.keys(VALID_WRITES) as WrittenCallId[];

/** These rows are the stored answer itself. */
const KEY_TABLES = ["idempotency_keys", "user_answers"];

const changedTables = (before: Digest, after: Digest): string[] => Object.keys(after).filter((table) => after[table] !== before[table]);

const pathOf = ({ id, params = {} }: PressContent): string =>
  operationOf(id).path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? `no ${name}`));

type WritePress = {
  content: PressContent;
  by: ConsoleCallOptions;
};

const send = ({ app }: WritesWorld, { tries, content, by }: WritePress & { tries: WriteTries }): Promise<ConsoleAnswer> => {
  const begun = tries.begin(content);
  return consoleCall(app, operationOf(content.id).method, pathOf(begun.content), {
    ...by,
    ...(begun.content.body === undefined ? {} : { body: begun.content.body }),
    headers: { "idempotency-key": begun.idempotencyKey },
  });
};

type PreparedWrite = { params?: Record<string, string | number>; body?: unknown; by?: ConsoleCallOptions };

/** What the call sends when it is pressed for the first time. */
const preparePress = (world: WritesWorld, id: string, { params, body, by }: PreparedWrite): WritePress => {
  const content: PressContent = {
    id,
    params: { ...(operationOf(id).path.includes("{venue}") ? { venue: world.lab.slug } : {}), ...params },
  };
  return { content: body === undefined ? content : { ...content, body }, by: by ?? { cookie: world.owner.cookie } };
};

/** The page has read the state again by now: what it names as seen is later than at the first press. */
const withLaterState = (content: PressContent): PressContent => {
  if (content.body === undefined) return content;
  const members = Object.entries(content.body as Record<string, unknown>);
  const later = members.map(([name, value]) => [name, name.startsWith("seen_") && typeof value === "number" ? value + 1 : value]);
  return { ...content, body: Object.fromEntries(later) };
};

/** How the console makes keys and what it sends again. A test that plants a fault gives others. */
export type Repetition = { triesOfNextPress(tries: WriteTries): WriteTries; contentOfNextPress(content: PressContent): PressContent };

const AS_THE_CONSOLE: Repetition = { triesOfNextPress: (tries) => tries, contentOfNextPress: withLaterState };

export type LostAnswerFindings = { problems: string[]; changed: string[]; answer: ConsoleAnswer; idempotencyKey: string };

/** Presses once, loses the answer, presses again; says what differs from one effect. */
export const loseAnswer = async (
  world: WritesWorld,
  digests: Digests,
  id: WrittenCallId,
  { triesOfNextPress, contentOfNextPress }: Repetition = AS_THE_CONSOLE,
): Promise<LostAnswerFindings> => {
  const press = preparePress(world, id, await VALID_WRITES[id](world));
  const tries = createTries();
  const { idempotencyKey } = tries.begin(press.content);
  const before = await digests.read();
  const lost = await send(world, { ...press, tries });
  if (lost.status !== operationOf(id).success.status)
    return { problems: [`${id}: not a valid write: ${lost.status} ${lost.text}`], changed: [], answer: lost, idempotencyKey };
  const once = await digests.read();
  const again = await send(world, { ...press, content: contentOfNextPress(press.content), tries: triesOfNextPress(tries) });
  const twice = await digests.read();
  const changed = changedTables(once, twice);
  const first = changedTables(before, once).filter((table) => !KEY_TABLES.includes(table));
  const problems = [
    ...(first.length === 0 ? [`${id}: the first press has no effect`] : []),
    ...(again.status === lost.status && again.text === lost.text ? [] : [`${id}: then ${again.status} ${again.text.slice(0, 300)}`]),
    ...(again.headers["idempotent-replayed"] === "true" ? [] : [`${id}: the second answer is not the first one again`]),
    ...(changed.length === 0 ? [] : [`${id}: the second press changes ${changed.join(", ")}`]),
  ];
  return { problems, changed, answer: lost, idempotencyKey };
};

/** Presses a call that takes no key twice. */
export const pressTwice = async (world: WritesWorld, digests: Digests, id: string, valid: PreparedWrite): Promise<PressedTwice> => {
  const { content, by } = preparePress(world, id, valid);
  const press = () =>
    consoleCall(world.app, operationOf(id).method, pathOf(content), {
      ...by,
      ...(content.body === undefined ? {} : { body: content.body }),
    });
  const before = await digests.read();
  const first = await press();
  const once = await digests.read();
  const second = await press();
  return { first, second, byFirst: changedTables(before, once), bySecond: changedTables(once, await digests.read()) };
};
