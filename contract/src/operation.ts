/** An operation is data: the columns of the contract's endpoint tables (§4). */
import type { TObject, TSchema } from "typebox";
import { type AREAS, type AreaName, areas } from "./areas.ts";
import type { Feature, Scope } from "./scopes.ts";

type OperationParts = {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  readonly path: `/${string}`;
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
  readonly extraStatuses: readonly (403 | 404 | 409 | 410 | 422)[];
  /** What a call may make the restaurant send. Agents read it before they call. */
  readonly sends?: readonly ("ticket" | "message")[];
  /** A call may wait for what is not there yet: for events it also answers as a stream. It is no tool for agents. */
  readonly waits?: "events" | "requests";
  /** Only the token of a sandbox reaches it. To any other the path is unknown. */
  readonly onlyInSandbox?: true;
  /** No other write of the sandbox runs beside it. */
  readonly isAlone?: true;
  /** A POST that writes nothing. It is answered like a read, and an Idempotency-Key has no effect on it. */
  readonly isRead?: true;
};

/** Version 1 grows by additions (§9). Only an addition may be open to every token: then `scope` is null. */
type ScopeOfOperation = { readonly scope: Scope; readonly isAddition?: true } | { readonly scope: null; readonly isAddition: true };

export type Operation = OperationParts & ScopeOfOperation;

export const writesNothing = ({ method, isRead }: Pick<Operation, "method" | "isRead">): boolean => method === "GET" || isRead === true;

/** Whether a repeated request with the same key gets the first answer again. */
export const keepsAnswers = (operation: Pick<Operation, "method" | "isRead">): boolean =>
  operation.method === "POST" && !writesNothing(operation);

export type PathParameter = { [A in AreaName]: keyof (typeof AREAS)[A]["pathParameters"] }[AreaName];

export const PATH_PARAMETERS = Object.assign({}, ...areas.map(({ pathParameters: names }) => names)) as Readonly<
  Record<PathParameter, "integer" | "uuid">
>;

export const pathParameters = (path: string): PathParameter[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameter);
