/** The outbox of a browser, with a network that takes everything. */
import { afterEach, expect, test, vi } from "vitest";
import { closeOutboxes, outboxOf } from "./outboxes.ts";

afterEach(() => {
  closeOutboxes();
  vi.unstubAllGlobals();
});

test("the question who is signed in has a time limit, as every move has", async () => {
  const asked: { url: string; hasLimit: boolean }[] = [];
  vi.stubGlobal("fetch", async (url: string, { signal }: RequestInit) => {
    asked.push({ url, hasLimit: signal instanceof AbortSignal });
    throw new TypeError("no connection");
  });
  const outbox = outboxOf(7);
  outbox.start();
  const place = { person: 7, venue: "lab", orderId: "1", name: "#1" };
  await outbox.add({ key: "one", ...place, seenStatus: "placed", status: "accepted", at: Date.now() });
  await expect.poll(() => asked.some(({ url }) => url.endsWith("/session"))).toBe(true);
  expect(asked.filter(({ hasLimit }) => !hasLimit)).toEqual([]);
});
