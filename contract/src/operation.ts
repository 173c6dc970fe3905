/** An operation is data: the columns of the contract's endpoint tables (§4). */
import type { TObject, TSchema } from "typebox";
import type { Feature, Scope } from "./scopes.ts";

export type Operation = {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  readonly path: `/${string}`;
  readonly scope: Scope;
  /** The area of the reference that shows it. */
  readonly tag: "Menu" | "Orders" | "Reservations" | "Guests" | "Reports";
  /** The part of the plan that opens this area; absent where every plan has it (§1.7). */
  readonly feature?: Feature;
  /** A few words for lists; the sentence that goes with them is `description`. */
  readonly summary: string;
  readonly description: string;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly success: { readonly status: 200 | 201; readonly body: TSchema };
  readonly extraStatuses: readonly (404 | 409 | 422)[];
};

/** How each path parameter is written (§4): anything else in its place is an unknown resource, so 404. */
export const PATH_PARAMETERS = {
  menu: "integer",
  item: "integer",
  guest: "integer",
  order: "uuid",
  reservation: "uuid",
} as const satisfies Record<string, "integer" | "uuid">;

export type PathParameter = keyof typeof PATH_PARAMETERS;

export const pathParameters = (path: string): PathParameter[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameter);
