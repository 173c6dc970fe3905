/** An operation is data: the columns of the contract's endpoint tables (§4). */
import type { TObject, TSchema } from "typebox";
import { type AREAS, type AreaName, areas } from "./areas.ts";
import type { Feature, Scope } from "./scopes.ts";

export type Operation = {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  readonly path: `/${string}`;
  readonly scope: Scope;
  /** The area of the reference that shows it. */
  readonly tag: AreaName;
  /** The part of the plan that opens this area; absent where every plan has it (§1.7). */
  readonly feature?: Feature;
  /** A few words for lists; the sentence that goes with them is `description`. */
  readonly summary: string;
  readonly description: string;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly success: { readonly status: 200 | 201; readonly body: TSchema };
  /** Added to version 1 after the contract was written (§9). */
  readonly isAddition?: true;
  readonly extraStatuses: readonly (404 | 409 | 422)[];
};

export type PathParameter = { [A in AreaName]: keyof (typeof AREAS)[A]["pathParameters"] }[AreaName];

export const PATH_PARAMETERS = Object.assign({}, ...areas.map(({ pathParameters: names }) => names)) as Readonly<
  Record<PathParameter, "integer" | "uuid">
>;

export const pathParameters = (path: string): PathParameter[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameter);
