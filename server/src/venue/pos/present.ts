/** A delivery to a till, as `comanda pos list` shows it. */

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
