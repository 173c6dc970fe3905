/** A till and the deliveries to it, as `comanda-admin pos list` and the console show them. */
import type { TillPush, VenueTill } from "@comanda/contract/console/till.ts";
import type { FailureReason } from "@comanda/contract/console/webhooks.ts";

type PushDelivery = {
  id: number;
  order_id: string;
  state: "ready" | "waiting" | "held" | "done" | "failed";
  attempts: number;
  due_at: Date | null;
  last_status: number | null;
  last_failure: string | null;
  last_duration_ms: number | null;
  created_at: Date;
  updated_at: Date;
};

export const presentPush = ({ id, order_id, state, attempts, due_at, ...row }: PushDelivery, explanation: string) => ({
  id,
  order_id,
  state: state === "done" || state === "failed" ? state : "queued",
  attempts,
  last_status: row.last_status,
  last_failure: row.last_failure,
  last_duration_ms: row.last_duration_ms,
  next_attempt_at: due_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  explanation,
});

export const presentTill = (till: { url: string; created_by: string; created_at: Date } | undefined): VenueTill["till"] =>
  till ? { url: till.url, connected_by: till.created_by, connected_at: till.created_at.toISOString() } : null;

export const presentTillPush = (
  { id, order_id, state, attempts, due_at, last_status, last_duration_ms, created_at }: PushDelivery,
  last_failure: FailureReason | null,
): TillPush => ({
  id,
  order_id,
  state,
  attempts,
  due_at: due_at?.toISOString() ?? null,
  last_status,
  last_failure,
  last_duration_ms,
  created_at: created_at.toISOString(),
});
