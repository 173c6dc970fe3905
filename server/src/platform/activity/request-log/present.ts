import type { SandboxRequest } from "@comanda/contract/sandbox/sandbox-requests.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { gateOf } from "./rules.ts";
import type { TailRow } from "./store.ts";

/** Names of fields and reasons alone: no value of a request is shown. */
export const presentRequest = (
  { request_id, at, method, route, status, code, fields, reasons, ms }: TailRow,
  zone: string,
): SandboxRequest => ({
  id: request_id,
  at: formatInstant(zone, at),
  method,
  path: route || null,
  status,
  code,
  gate: gateOf({ code, route, reasons }),
  fields: fields ?? [],
  reasons: [...new Set(reasons?.map(({ reason }) => reason))],
  ms,
});
