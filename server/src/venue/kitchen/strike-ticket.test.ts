import { expect, test } from "vitest";
import { strikeTicketLine } from "./rules.ts";

const NOW = new Date("2026-11-14T12:00:00Z");
const shown = (en: string, quantity = 1) => ({ name: { en }, variant_name: null, quantity, modifiers: [] });
const ticketWith = (id: number, lines: (ReturnType<typeof shown> & { line_id?: number; voided?: true })[], state = "fired") => ({
  id,
  state,
  lines,
  acknowledged_at: null as Date | null,
});

const whole = (id: number, line: ReturnType<typeof shown>) => ({ line: { id, ...line }, part: null });

test("the line is found by its id, also among lines that look the same", () => {
  const soups = [
    { line_id: 5, ...shown("Soup") },
    { line_id: 6, ...shown("Soup") },
  ];
  const tickets = [ticketWith(1, soups)];
  expect(strikeTicketLine(tickets, whole(6, shown("Soup")), NOW)?.after).toEqual(
    ticketWith(1, [
      { line_id: 5, ...shown("Soup") },
      { line_id: 6, ...shown("Soup"), voided: true },
    ]),
  );
  expect(strikeTicketLine(tickets, whole(7, shown("Soup")), NOW)).toBeNull();
});

test("a ticket from before lines had ids is compared by what it shows; its last line empties it", () => {
  const tickets = [ticketWith(1, [shown("Soup", 2)]), ticketWith(2, [{ ...shown("Tart"), voided: true }, shown("Tart")])];
  expect(strikeTicketLine(tickets, whole(9, shown("Tart")), NOW)?.after).toEqual(
    ticketWith(
      2,
      [
        { ...shown("Tart"), voided: true },
        { ...shown("Tart"), voided: true },
      ],
      "voided",
    ),
  );
  expect(strikeTicketLine(tickets, whole(9, shown("Soup", 1)), NOW)).toBeNull();
});

test("a bumped ticket keeps its state; without another line it is voided and needs no acknowledgement; what is open is struck first", () => {
  const done = ticketWith(1, [{ line_id: 5, ...shown("Soup") }, shown("Tart")], "done");
  expect(strikeTicketLine([done], whole(5, shown("Soup")), NOW)?.after.state).toBe("done");
  const single = ticketWith(1, [shown("Tart")], "done");
  expect(strikeTicketLine([single], whole(9, shown("Tart")), NOW)?.after).toMatchObject({ state: "voided", acknowledged_at: NOW });
  expect(strikeTicketLine([single, ticketWith(2, [shown("Tart")])], whole(9, shown("Tart")), NOW)?.after.id).toBe(2);
  for (const state of ["voided", "withdrawn"])
    expect(strikeTicketLine([ticketWith(1, [shown("Tart")], state)], whole(9, shown("Tart")), NOW)).toBeNull();
});

test("part of a line is struck at the end of its ticket, so that marks of other lines keep their places; the ticket stays", () => {
  const ticket = ticketWith(1, [{ line_id: 5, ...shown("Soup", 3) }, shown("Tart")]);
  const part = { line: { id: 5, ...shown("Soup", 3) }, part: { id: 8, quantity: 2 } };
  expect(strikeTicketLine([ticket], part, NOW)?.after).toEqual(
    ticketWith(1, [{ line_id: 5, ...shown("Soup", 1) }, shown("Tart"), { line_id: 8, ...shown("Soup", 2), voided: true }]),
  );
  const single = ticketWith(1, [{ line_id: 5, ...shown("Soup", 3) }]);
  expect(strikeTicketLine([single], part, NOW)?.after.state).toBe("fired");
});
