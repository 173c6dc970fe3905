/** Advice for refused requests. */
import { publicOperations } from "virtual:contract";
import type { RequestRow } from "@comanda/contract/console/logs.ts";
import { enLogs } from "../texts-logs.en.ts";

export type AdvisedCode = keyof typeof enLogs.requests.advice;

/** The log stores only known path segments: an unknown path ends in dots or is null. */
export const isUnknownPath = ({ route }: Pick<RequestRow, "route">): boolean => route === null || route.endsWith("…");

/** An unknown path gets other advice than an unknown id. */
export const advisedCode = ({ code, route }: Pick<RequestRow, "code" | "route">): AdvisedCode | null => {
  if (code === "not_found" && isUnknownPath({ route })) return "unknown_path";
  return code !== null && Object.hasOwn(enLogs.requests.advice, code) ? (code as AdvisedCode) : null;
};

/** The scope that the contract requires for the operation. */
export const scopeNeeded = ({ method, route }: Pick<RequestRow, "method" | "route">): string | null =>
  publicOperations.find((operation) => operation.method === method && operation.path === route)?.scope ?? null;
