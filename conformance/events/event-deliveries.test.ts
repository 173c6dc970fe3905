/** Every event about a restaurant: triggered in a sandbox by the target's command, delivered to the kit's receiver (contract §6). */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { EVENT_TYPES, isSent } from "@comanda/contract/events/envelope.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { target } from "../target.ts";
import { deliveryProblems, type ReceivedDelivery, typeOf } from "./delivery-check.ts";
import { type KitReceiver, startEventReceiver } from "./receiver.ts";

const VENUE_EVENTS = EVENT_TYPES.filter((type) => type !== "ping" && isSent(type));
const TRIGGERED_WITHIN_MS = 60_000;
const ARRIVES_WITHIN_MS = 15_000;

const { events } = target;

describe.skipIf(events === undefined)("a sandbox whose address leads to the kit", () => {
  let receiver: KitReceiver;
  const [command = "", ...parameters] = events?.trigger ?? [];
  const problemsOf = (delivery: ReceivedDelivery): string[] => deliveryProblems(delivery, events?.receiver.secret ?? "");

  beforeAll(async () => {
    if (!events) return;
    receiver = await startEventReceiver(events.receiver);
    await promisify(execFile)(command, [...parameters, ...VENUE_EVENTS]);
  }, TRIGGERED_WITHIN_MS);
  afterAll(() => receiver?.close());

  for (const type of VENUE_EVENTS)
    test(`R6.1-03 R6.1-04 R6.2-01 ${type} arrives when it is triggered: headers, signature and shape as in the contract`, async () => {
      const arrived = (): ReceivedDelivery[] => receiver.received.filter((delivery) => typeOf(delivery) === type);
      await expect.poll(() => arrived().length, { timeout: ARRIVES_WITHIN_MS }).toBeGreaterThan(0);
      expect(arrived().flatMap(problemsOf)).toEqual([]);
      const [delivery] = arrived();
      expect(JSON.parse(delivery?.body ?? "{}").restaurant.id).toBe(events?.restaurant_id);
    });

  test("R6.2-14 every delivery is of a type of the contract, and right", () => {
    expect(receiver.received.flatMap(problemsOf)).toEqual([]);
  });
});
