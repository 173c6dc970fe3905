/** Compares tables and diagrams of the guides with the contract and the rules. */
import { readFileSync } from "node:fs";
import { ERRORS } from "@comanda/contract/errors.ts";
import { EVENT_TYPES, EVENTS, isSent } from "@comanda/contract/events/envelope.ts";
import { ACCESS_TOKEN_SECONDS, CODE_SECONDS } from "@comanda/contract/oauth.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import { SCOPES } from "@comanda/contract/scopes.ts";
import { Paging, PRICE_MAX } from "@comanda/contract/shared.ts";
import { DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX, NewItem } from "@comanda/contract/venue/menu.ts";
import { NewOrder, ORDER_STATUSES, StatusMove } from "@comanda/contract/venue/orders.ts";
import { describe, expect, test } from "vitest";
import { READERS } from "../../server/src/http/docs/guide-files.ts";
import { RESERVATION_TRANSITIONS as BOOKING_MOVES } from "../../server/src/venue/bookings/reservations/rules/transitions.ts";
import { ORDER_TRANSITIONS as ORDER_MOVES } from "../../server/src/venue/orders/rules/transitions.ts";
import { guidePath, guidePaths, ROOT, readPage } from "./blocks.ts";

const guide = (name: string): string => readFileSync(`${ROOT}/${guidePath(name)}`, "utf8");

/** Rows of every table, as lists of their cells. */
const rowsOf = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|\s*-/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const arrowsOf = (text: string): string[] => [...text.matchAll(/^ {2}(\S+) --> (\S+)$/gm)].map(([, from, to]) => `${from} > ${to}`).sort();

/** Every move, every first status and every final status. */
const arrowsFrom = (moves: Record<string, readonly string[]>, beginnings: string[]): string[] =>
  [
    ...beginnings.map((status) => `[*] > ${status}`),
    ...Object.entries(moves).flatMap(([from, to]) => (to.length === 0 ? [`${from} > [*]`] : to.map((status) => `${from} > ${status}`))),
  ].sort();

describe("diagrams", () => {
  const picture = (name: string): string =>
    readPage(guidePath(name)).blocks.find(({ language, text }) => language === "mermaid" && text.startsWith("stateDiagram"))?.text ?? "";

  test("the statuses of an order are drawn as the rules have them", () => {
    expect(arrowsOf(picture("orders"))).toEqual(arrowsFrom(ORDER_MOVES, ["placed"]));
    const planted = { ...ORDER_MOVES, accepted: ["ready", "completed", "cancelled"] };
    expect(arrowsOf(picture("orders"))).not.toEqual(arrowsFrom(planted, ["placed"]));
  });

  test("so are the statuses of a booking", () => {
    expect(arrowsOf(picture("bookings"))).toEqual(arrowsFrom(BOOKING_MOVES, ["pending", "confirmed"]));
  });

  test("every status of an order is explained", () => {
    const explained = rowsOf(guide("orders")).map(([status = ""]) => status.replaceAll("`", ""));
    expect(explained.slice(1).sort()).toEqual([...ORDER_STATUSES].sort());
  });
});

describe("tables", () => {
  const scopeRows = (text: string) =>
    Object.fromEntries(
      rowsOf(text)
        .filter(([scope]) => scope !== undefined && scope.replaceAll("`", "") in SCOPES)
        .map(([scope = "", allows, operations = ""]) => [
          scope.replaceAll("`", ""),
          { allows, operations: [...operations.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name).sort() },
        ]),
    );
  const wanted = Object.fromEntries(
    Object.entries(SCOPES).map(([scope, allows]) => [
      scope,
      {
        allows,
        operations: operationEntries
          .filter(([, one]) => one.scope === scope)
          .map(([, { method, path }]) => `${method} ${path}`)
          .sort(),
      },
    ]),
  );

  test("each scope has its meaning and its operations", () => {
    expect(scopeRows(guide("authentication"))).toEqual(wanted);
    expect(scopeRows(guide("authentication").replace("`POST /items`", ""))).not.toEqual(wanted);
  });

  const codesOf = (text: string): [string, number][] => [
    ...[...text.matchAll(/^### `([a-z_]+)`\n\nStatus ([45]\d\d)\. /gm)].map(([, code = "", status]): [string, number] => [
      code,
      Number(status),
    ]),
    ...[...text.matchAll(/\b([45]\d\d)\s+`([a-z_]+)`/g)].map(([, status, code = ""]): [string, number] => [code, Number(status)]),
  ];

  test("every error code is there with its status", () => {
    const all = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));
    expect(Object.fromEntries(codesOf(guide("errors")))).toEqual(all);
    expect(Object.fromEntries(codesOf(guide("errors").replace("`plan_lapsed`", "`plan_over`")))).not.toEqual(all);
  });

  test("limits are those of the contract", () => {
    const limits = Object.fromEntries(rowsOf(guide("limits")).map(([what = "", limit = ""]) => [what.replaceAll("`", ""), limit]));
    const { lines, customer_name, customer_phone, note } = NewOrder.properties;
    const quantity = (lines as unknown as { items: { properties: { quantity: { minimum: number; maximum: number } } } }).items.properties
      .quantity;
    const of = (schema: object) =>
      schema as { minItems: number; maxItems: number; minLength: number; maxLength: number; maximum: number; default: number };
    expect(limits).toMatchObject({
      per_page: `1 to ${of(Paging.per_page).maximum}, ${of(Paging.per_page).default} by default`,
      "lines of an order": `${of(lines).minItems} to ${of(lines).maxItems}`,
      "quantity of a line": `${quantity.minimum} to ${quantity.maximum}`,
      "name, telephone of a customer or guest": `${of(customer_name).maxLength} and ${of(customer_phone).maxLength} characters`,
      "note on an order or booking": `${of(note).maxLength} characters`,
      "reason of a cancel": `${of(StatusMove.properties.reason).minLength} to ${of(StatusMove.properties.reason).maxLength} characters`,
      "sizes of a dish": String(of(NewItem.properties.variants).maxItems),
      "name, description of a dish": `${NAME_LENGTH_MAX} and ${DESCRIPTION_LENGTH_MAX} characters in each language`,
      "a price": `${PRICE_MAX} minor units`,
      "an OAuth access token": `${ACCESS_TOKEN_SECONDS} seconds`,
      "an OAuth code": `${CODE_SECONDS} seconds`,
    });
  });

  const eventRows = (text: string) =>
    Object.fromEntries(
      rowsOf(text)
        .map(([type = "", when = ""]) => [type.replaceAll("`", ""), when])
        .filter(([type = ""]) => type in EVENTS),
    );

  test("every event is listed with its occasion, and those that are not yet sent are marked", () => {
    const all = Object.fromEntries(
      EVENT_TYPES.map((type) => [type, `${isSent(type) ? "" : "**Not yet sent.** "}${EVENTS[type].occursWhen}`]),
    );
    expect(eventRows(guide("webhooks"))).toEqual(all);
    expect(eventRows(guide("webhooks").replace("Sent once per order", "Sent"))).not.toEqual(all);
  });

  test("each guide is in the index of its reader, and no two have one name", () => {
    const guides = guidePaths().filter((path) => path.split("/").length === 4 && !path.endsWith("/README.md"));
    const named = READERS.flatMap((reader) => {
      const index = readFileSync(`${ROOT}/docs/guide/${reader}/README.md`, "utf8");
      return [...index.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(([, name = ""]) => `docs/guide/${reader}/${name}`);
    });
    expect(named.sort()).toEqual(guides.sort());
    expect(new Set(guides.map((path) => path.split("/").at(-1))).size).toBe(guides.length);
    expect(guidePaths().filter((path) => path.split("/").length === 3)).toEqual(["docs/guide/README.md"]);
  });
});
