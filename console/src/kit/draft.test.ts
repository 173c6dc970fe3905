/** A draft keeps what it began with, and never overwrites what another person saved since. */
import { expect, test } from "vitest";
import { changedDraft, type Draft, type StoredVersion, shownDraft } from "./draft.ts";

type Rules = { slot: number; partyMax: number };
const RULES: Rules = { slot: 15, partyMax: 8 };
const FIRST: StoredVersion<Rules> = { version: "1", value: RULES };
/** Saved by another person while the draft is open. */
const SECOND: StoredVersion<Rules> = { version: "2", value: { slot: 15, partyMax: 20 } };

const begin = (): Draft<Rules> | null => changedDraft(shownDraft(null, FIRST), { slot: 30, partyMax: 8 });

test("until something is changed, a page shows what is stored, also when that changes", () => {
  expect(shownDraft(null, FIRST)).toEqual({ version: "1", begun: RULES, value: RULES });
  expect(shownDraft(null, SECOND)).toEqual({ version: "2", begun: SECOND.value, value: SECOND.value });
});

test("a draft keeps the version and the state that it began with, and ends when all is as it was", () => {
  const draft = begin();
  expect(shownDraft(draft, SECOND)).toEqual({ version: "1", begun: RULES, value: { slot: 30, partyMax: 8 } });
  const more = changedDraft(shownDraft(draft, SECOND), { slot: 30, partyMax: 9 });
  expect(more).toEqual({ version: "1", begun: RULES, value: { slot: 30, partyMax: 9 } });
  expect(changedDraft(shownDraft(more, SECOND), { ...RULES })).toBeNull();
});

test("a page says what counts as the same", () => {
  const isSameSlot = (one: Rules, other: Rules): boolean => one.slot === other.slot;
  expect(changedDraft(shownDraft(null, FIRST), { slot: 15, partyMax: 9 }, isSameSlot)).toBeNull();
});

/** As the server does: a save that names another version than the stored one is refused. */
const save = (stored: StoredVersion<Rules>, { version, value }: Pick<Draft<Rules>, "version" | "value">): StoredVersion<Rules> =>
  version === stored.version ? { version: `${Number(version) + 1}`, value } : stored;

type ShowDraft = (draft: Draft<Rules> | null, stored: StoredVersion<Rules>) => Draft<Rules>;

/** Another person saves a larger party while a draft of the slot is open; the page reads that, and then the draft is saved. */
const partyAfterRace = (shown: ShowDraft): number => save(SECOND, shown(begin(), SECOND)).value.partyMax;

test("another's change is not overwritten; planted: a draft that takes over the present version overwrites it in silence", () => {
  expect(partyAfterRace(shownDraft)).toBe(20);
  const takesPresentVersion: ShowDraft = (draft, stored) => ({ ...shownDraft(draft, stored), version: stored.version });
  expect(partyAfterRace(takesPresentVersion)).toBe(8);
});
