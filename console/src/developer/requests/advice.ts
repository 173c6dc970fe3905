/** What to do about a refused request. */
import { publicOperations } from "virtual:contract";
import type { RequestRow } from "@comanda/contract/console-logs.ts";
import { enLogs } from "../../texts/en-logs.ts";

export type AdvisedCode = keyof typeof enLogs.requests.advice;

/** Only words of the contract are kept of a path: an unknown one ends in dots, or nothing of it was known. */
export const isUnknownPath = ({ route }: Pick<RequestRow, "route">): boolean => route === null || route.endsWith("…");

/** A path that is none is another matter than an id that is none. */
export const advisedCode = ({ code, route }: Pick<RequestRow, "code" | "route">): AdvisedCode | null => {
  if (code === "not_found" && isUnknownPath({ route })) return "unknown_path";
  return code !== null && Object.hasOwn(enLogs.requests.advice, code) ? (code as AdvisedCode) : null;
};

/** The scope that the operation asks for, from the contract itself. */
export const scopeNeeded = ({ method, route }: Pick<RequestRow, "method" | "route">): string | null =>
  publicOperations.find((operation) => operation.method === method && operation.path === route)?.scope ?? null;
