import type { KitchenTicket, TicketChangeKind } from "@comanda/contract/console/kitchen.ts";
import { expect, test } from "vitest";
import { applyQueued, changesToDrop, isShown, type QueuedChange, queuedChangeOf, recallable } from "./ticket-changes.ts";
import { lineOf, ticketOf } from "./ticket-fixture.ts";

let taps = 0;
const tap = (ticket: KitchenTicket, change: TicketChangeKind, line?: number): QueuedChange => {
  taps += 1;
  const made = { key: `key-${taps}`, at: taps, screenId: 5, ticket, change };
  return queuedChangeOf(line === undefined ? made : { ...made, line });
};
/** Taps as a cook makes them: each on what the screen shows then. */
const tapAll = (ticket: KitchenTicket, ...changes: [TicketChangeKind, number?][]): QueuedChange[] => {
  const queued: QueuedChange[] = [];
  for (const [change, line] of changes) queued.push(tap(applyQueued([ticket], queued)[0] ?? ticket, change, line));
  return queued;
};

test("a follow-up names the state after the changes that wait before it", () => {
  const queued = tapAll(ticketOf(1), ["line_done", 0], ["bump"], ["recall"], ["line_done", 1], ["bump"]);
  expect(queued.map(({ seen_state }) => seen_state)).toEqual(["fired", "fired", "done", "fired", "fired"]);
  const [shown] = applyQueued([ticketOf(1)], queued);
  expect(shown?.state).toBe("done");
  expect(shown?.lines.map(({ is_done }) => is_done)).toEqual([true, true]);
});

test("a bumped ticket is not shown, and an acknowledged cancelled one neither", () => {
  const voided = ticketOf(2, { state: "voided" });
  const shown = applyQueued([ticketOf(1), voided, ticketOf(3)], [tap(ticketOf(1), "bump"), tap(voided, "acknowledge")]);
  expect(shown.filter(isShown).map(({ id }) => id)).toEqual([3]);
  expect(isShown(voided)).toBe(true);
});

test("acknowledging takes note of all struck lines and leaves the ticket open", () => {
  const ticket = ticketOf(1, { lines: [lineOf(0, { is_struck: true }), lineOf(1)] });
  const [shown] = applyQueued([ticket], [tap(ticket, "acknowledge")]);
  expect(shown).toMatchObject({ state: "fired", is_acknowledged: false });
  expect(shown?.lines.map(({ is_acknowledged }) => is_acknowledged)).toEqual([true, false]);
});

test("a change for a state that the ticket no longer has is not shown", () => {
  const queued = [tap(ticketOf(1), "bump")];
  const [shown] = applyQueued([ticketOf(1, { state: "voided" })], queued);
  expect(shown?.state).toBe("voided");
});

test("only a recall shows a ticket that the service did not give", () => {
  const done = ticketOf(1, { state: "done" });
  expect(applyQueued([], [tap(done, "recall")]).map(({ state }) => state)).toEqual(["fired"]);
  expect(applyQueued([], [tap(ticketOf(1), "line_done", 0)])).toEqual([]);
});

test("priority is put on and taken off", () => {
  const [on] = applyQueued([ticketOf(1)], tapAll(ticketOf(1), ["priority"]));
  const [off] = applyQueued([ticketOf(1)], tapAll(ticketOf(1), ["priority"], ["no_priority"]));
  expect([on?.is_priority, off?.is_priority]).toEqual([true, false]);
});

test("a refused change takes the later ones of its ticket with it, and no others", () => {
  const [first, second] = [tapAll(ticketOf(1), ["line_done", 0], ["bump"]), tapAll(ticketOf(2), ["bump"])];
  const later = tapAll(ticketOf(1), ["line_done", 1]);
  const all = [...first, ...second, ...later];
  expect(changesToDrop(all, first[1] as QueuedChange)).toEqual([first[1], later[0]]);
});

test("what was bumped here can be recalled before the service knows of it", () => {
  const queued = tapAll(ticketOf(1), ["bump"]);
  const ids = recallable([ticketOf(7, { state: "done" })], queued, [ticketOf(3)]).map(({ id, state }) => [id, state]);
  expect(ids).toEqual([
    [1, "done"],
    [7, "done"],
  ]);
  const recalled = tapAll(ticketOf(1), ["bump"], ["recall"]);
  expect(recallable([ticketOf(1, { state: "done" })], recalled, [ticketOf(1)])).toEqual([]);
});

test("an acknowledgement names the struck lines that were shown, and a line that is struck later stays to be seen", () => {
  const shown = ticketOf(1, { lines: [lineOf(0, { is_struck: true }), lineOf(1)] });
  const gotIt = tap(shown, "acknowledge");
  expect(gotIt.struck_lines).toEqual([0]);
  const later = ticketOf(1, { lines: [lineOf(0, { is_struck: true }), lineOf(1, { is_struck: true })] });
  const known = (queued: QueuedChange) => applyQueued([later], [queued])[0]?.lines.map(({ is_acknowledged }) => is_acknowledged);
  expect(known(gotIt)).toEqual([true, false]);
  const { struck_lines: _, ...earlier } = gotIt;
  expect(known(earlier)).toEqual([true, true]);
});
