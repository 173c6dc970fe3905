import { expect, test } from "vitest";
import { strikeTicketLine } from "./rules.ts";

const shown = (en: string, quantity = 1) => ({ name: { en }, variant_name: null, quantity, modifiers: [] });

test("the line is found by its id, also among lines that look the same", () => {
  const tickets = [
    {
      id: 1,
      lines: [
        { line_id: 5, ...shown("Soup") },
        { line_id: 6, ...shown("Soup") },
      ],
    },
  ];
  expect(strikeTicketLine(tickets, { id: 6, ...shown("Soup") })).toEqual({
    id: 1,
    lines: [
      { line_id: 5, ...shown("Soup") },
      { line_id: 6, ...shown("Soup"), voided: true },
    ],
    isEmpty: false,
  });
  expect(strikeTicketLine(tickets, { id: 7, ...shown("Soup") })).toBeNull();
});

test("a ticket from before lines had ids is compared by what it shows; its last line empties it", () => {
  const tickets = [
    { id: 1, lines: [shown("Soup", 2)] },
    { id: 2, lines: [{ ...shown("Tart"), voided: true as const }, shown("Tart")] },
  ];
  expect(strikeTicketLine(tickets, { id: 9, ...shown("Tart") })).toEqual({
    id: 2,
    lines: [
      { ...shown("Tart"), voided: true },
      { ...shown("Tart"), voided: true },
    ],
    isEmpty: true,
  });
  expect(strikeTicketLine(tickets, { id: 9, ...shown("Soup", 1) })).toBeNull();
});
