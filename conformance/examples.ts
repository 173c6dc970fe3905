/** One valid call for each operation of the contract; the tests of every operation are generated from them. */
import type { Operation } from "@comanda/contract/operation.ts";
import { PATH_PARAMETERS, pathParameters } from "@comanda/contract/operation.ts";
import { type OperationId, operations } from "@comanda/contract/operations.ts";
import type { CheckedAnswer } from "./answer-check.ts";
import { type ConformanceCall, call, type Query } from "./client.ts";
import { eventExamples } from "./events/examples.ts";
import { guestExamples } from "./guests/examples.ts";
import { menuExamples } from "./menu/examples.ts";
import { orderExamples } from "./orders/examples.ts";
import { reportExamples } from "./reports/examples.ts";
import { reservationExamples } from "./reservations/examples.ts";
import { restaurantExamples } from "./restaurant/examples.ts";
import type { Venue } from "./target.ts";

export type Example = {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Query;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Further members of the body when a field is sent as null, where a rule ties it to another field. */
  readonly besideNull?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type MakeExample = (venue: Venue) => Promise<Example>;

/** A new operation does not compile until its area has an example of it. */
const examples: Record<OperationId, MakeExample> = {
  ...menuExamples,
  ...orderExamples,
  ...reservationExamples,
  ...guestExamples,
  ...reportExamples,
  ...restaurantExamples,
  ...eventExamples,
};

export const exampleOf = (id: OperationId, venue: Venue): Promise<Example> => examples[id](venue);

export const pathOf = (operation: Operation, params: Example["params"] = {}): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));

const UNKNOWN = { integer: "9007199254740991", uuid: "00000000-0000-4000-8000-000000000000" };

/** The operation's path with well-formed ids that do not exist. */
export const unknownPath = (operation: Operation): string =>
  pathOf(operation, Object.fromEntries(pathParameters(operation.path).map((name) => [name, UNKNOWN[PATH_PARAMETERS[name]]])));

/** Makes the example call of an operation, with another token or with parts of the call replaced. */
export const perform = async (
  id: OperationId,
  venue: Venue,
  changes: ConformanceCall & { readonly token?: string | null } = {},
): Promise<CheckedAnswer> => {
  const { params, query, body } = await exampleOf(id, venue);
  const { token = venue.tokens.full, ...rest } = changes;
  const operation = operations[id];
  return call(token, operation.method, pathOf(operation, params), {
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
    ...rest,
  });
};
