/** One valid call for each operation of the contract: from these the tests that concern every operation are made. */
import type { Operation } from "@comanda/contract/operation.ts";
import { PATH_PARAMETERS, pathParameters } from "@comanda/contract/operation.ts";
import { type OperationId, operations } from "@comanda/contract/operations.ts";
import type { Answer } from "./answer-check.ts";
import { type Call, call, type Query } from "./client.ts";
import { guestExamples } from "./guests/examples.ts";
import { menuExamples } from "./menu/examples.ts";
import { orderExamples } from "./orders/examples.ts";
import { reportExamples } from "./reports/examples.ts";
import { reservationExamples } from "./reservations/examples.ts";
import type { Venue } from "./target.ts";

export type Example = {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Query;
  readonly body?: Readonly<Record<string, unknown>>;
  /** What the body carries beside a field sent as null, where a rule of the house ties it to another field. */
  readonly besideNull?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type MakeExample = (venue: Venue) => Promise<Example>;

/** A new operation in the contract does not compile until its room gives an example of it. */
const examples: Record<OperationId, MakeExample> = {
  ...menuExamples,
  ...orderExamples,
  ...reservationExamples,
  ...guestExamples,
  ...reportExamples,
};

export const exampleOf = (id: OperationId, venue: Venue): Promise<Example> => examples[id](venue);

export const pathOf = (operation: Operation, params: Example["params"] = {}): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));

const UNKNOWN = { integer: "9007199254740991", uuid: "00000000-0000-4000-8000-000000000000" };

/** The operation's path with well-formed ids that nothing carries. */
export const unknownPath = (operation: Operation): string =>
  pathOf(operation, Object.fromEntries(pathParameters(operation.path).map((name) => [name, UNKNOWN[PATH_PARAMETERS[name]]])));

/** Makes the example call of an operation, with another token or with parts of the call replaced. */
export const perform = async (id: OperationId, venue: Venue, changes: Call & { readonly token?: string | null } = {}): Promise<Answer> => {
  const { params, query, body } = await exampleOf(id, venue);
  const { token = venue.tokens.full, ...rest } = changes;
  const operation = operations[id];
  return call(token, operation.method, pathOf(operation, params), {
    ...(query ? { query } : {}),
    ...(body ? { body } : {}),
    ...rest,
  });
};
