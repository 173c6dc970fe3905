/** A deposit that the operator refunds is as one that the console refunds. */
import { randomUUID } from "node:crypto";
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { comandaAdmin } from "../../../../test/support/run-admin.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

const NOW = "2026-11-20T18:00:00Z";
const TODAY = "2026-11-20";

let app: TestApp;
let lab: TestVenue;
let manager: TestUser;

beforeAll(async () => {
  app = await startApp();
  app.clock.set(NOW);
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
});
afterAll(() => app.close());

const post = async (path: string, body: object): Promise<DayBooking> => {
  const {
    status,
    body: answer,
    text,
  } = await manager.call("POST", `/venues/${lab.slug}${path}`, {
    body,
    headers: { "idempotency-key": randomUUID() },
  });
  expect(status, text).toBeLessThan(300);
  return answer.data;
};
const readBooking = async (id: string): Promise<DayBooking> =>
  (await manager.call("GET", `/venues/${lab.slug}/bookings?date=${TODAY}`)).body.data.bookings.find(
    ({ reservation }: DayBooking) => reservation.id === id,
  );

test("comanda-admin payment refund: a part leaves the deposit paid, the rest makes it refunded, with the booking's event", async () => {
  const booked = await post("/bookings", { name: "Ada", phone: "+1 555 0100", party_size: 2, date: TODAY, time: "19:00" });
  const { id } = booked.reservation;
  const asked = await post(`/bookings/${id}/deposit`, { seen_version: booked.version, amount_minor: 2000 });
  await post(`/bookings/${id}/payments`, { seen_version: asked.version, method: "cash" });
  const [payment] = await app.database.asOwner<{ id: string }>("select id from payments where reservation_id = $1", [id]);
  const refund = async (amount: string) => {
    const { code, stderr } = await comandaAdmin(
      ["payment", "refund", lab.slug, payment?.id ?? "", "--amount", amount, "--reason", "called"],
      {
        DATABASE_URL: app.database.appUrl,
      },
    );
    expect(code, stderr).toBe(0);
    const { reservation, paid_minor } = await readBooking(id);
    return [reservation.deposit_status, paid_minor];
  };
  expect(await refund("500")).toEqual(["paid", 1500]);
  expect(await refund("1500")).toEqual(["refunded", 0]);
  const events = await app.database.asOwner<{ type: string; body: string }>(
    "select type, body from events where body like '%' || $1 || '%'",
    [id],
  );
  // The command has the real clock, so the events are not in the order of their moments.
  const told = events.filter(({ type }) => type === "reservation.updated").map(({ body }) => JSON.parse(body).data);
  expect(told.filter(({ reservation }) => reservation.deposit_status === "refunded")).toMatchObject([{ changed: ["deposit_status"] }]);
  expect(events.filter(({ type }) => type === "payment.refunded")).toHaveLength(2);
});
