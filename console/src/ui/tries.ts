/**
 * The tries of one dialog to write something. Until an answer came, a repeated tap sends the same with the same key, and another choice names the
 * state that the first try saw: if the first one was recorded, the server says so instead of recording a second.
 */
export type Tries<Chosen extends object, Seen extends object> = {
  begin(chosen: Chosen, seen: Seen): { idempotencyKey: string; body: Chosen & Seen };
  /** An answer came. */
  end(): void;
};

export const createTries = <Chosen extends object, Seen extends object>(): Tries<Chosen, Seen> => {
  let last: { text: string; key: string; seen: Seen } | null = null;
  return {
    begin(chosen, seen) {
      const text = JSON.stringify(chosen);
      if (last?.text !== text) last = { text, key: crypto.randomUUID(), seen: last?.seen ?? seen };
      return { idempotencyKey: last.key, body: { ...chosen, ...last.seen } };
    },
    end() {
      last = null;
    },
  };
};
