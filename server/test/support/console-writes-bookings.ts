/** Valid writes for bookings, tables that are blocked, and parties that wait. Each booking has a day of its own. */
import type { DayBooking, TableBlock, WaitlistEntry } from "@comanda/contract/console/bookings.ts";
import type { Scenarios, WritesWorld } from "./console-writes-world.ts";

const wanted = ({ phone, day }: WritesWorld) => ({ name: "Ada", phone: phone(), party_size: 2, date: day(), time: "19:00" });
const booked = async (world: WritesWorld, changes: object = {}): Promise<DayBooking> =>
  world.done("POST", "/bookings", { ...wanted(world), ...changes });
const withDeposit = async (world: WritesWorld): Promise<DayBooking> => {
  const { reservation, version } = await booked(world);
  return world.done("POST", `/bookings/${reservation.id}/deposit`, { seen_version: version, amount_minor: 1000 });
};
const waiting = ({ done, phone }: WritesWorld): Promise<WaitlistEntry> =>
  done("POST", "/waitlist", { name: "Wes", phone: phone(), party_size: 2 });

/** The message that its table is free, which no gateway took. */
const failedMessage = async (world: WritesWorld): Promise<{ params: { id: number }; body: { seen_attempts: number } }> => {
  const { id, version } = await waiting(world);
  await world.done("POST", `/waitlist/${id}/notify`, { seen_version: version });
  const [message] = await world.app.database.asOwner<{ id: number }>(
    "update notifications set state = 'failed', failure = 'refused', attempts = 1 where about_id = $1 returning id::integer",
    [id],
  );
  return { params: { id: message?.id ?? 0 }, body: { seen_attempts: 1 } };
};

const block = (date: string) => ({ starts_at: `${date}T12:00:00Z`, ends_at: `${date}T14:00:00Z`, reason: "repairs" });

type BookingCalls =
  | "makeBooking"
  | "seatWalkIn"
  | "stepBooking"
  | "answerBooking"
  | "changeBooking"
  | "askDeposit"
  | "takeDeposit"
  | "refundDeposit"
  | "blockTables"
  | "endBlock"
  | "addToWaitlist"
  | "notifyWaiting"
  | "seatWaiting"
  | "removeWaiting"
  | "retryMessage"
  | "setMessageAside";

export const bookingScenarios: Scenarios<BookingCalls> = {
  makeBooking: async (world) => ({ body: wanted(world) }),
  seatWalkIn: async () => ({ body: { party_size: 2 } }),
  stepBooking: async (world) => {
    const today = world.app.clock.now().toISOString().slice(0, 10);
    const { reservation, version } = await booked(world, { date: today, time: "12:30" });
    return { params: { reservation: reservation.id }, body: { seen_version: version, step: "arrive" } };
  },
  answerBooking: async (world) => {
    const { app, lab } = world;
    const asked = await app.call(lab.token, "POST", "/reservations", { body: { ...wanted(world), status: "pending" } });
    return { params: { reservation: asked.body.data.id }, body: { seen_version: 1, answer: "confirm" } };
  },
  changeBooking: async (world) => {
    const { reservation, version } = await booked(world);
    return { params: { reservation: reservation.id }, body: { seen_version: version, party_size: 3, note: "by the window" } };
  },
  askDeposit: async (world) => {
    const { reservation, version } = await booked(world);
    return { params: { reservation: reservation.id }, body: { seen_version: version, amount_minor: 1000 } };
  },
  takeDeposit: async (world) => {
    const { reservation, version } = await withDeposit(world);
    return { params: { reservation: reservation.id }, body: { seen_version: version, method: "cash" } };
  },
  refundDeposit: async (world) => {
    const { reservation, version } = await withDeposit(world);
    const paid: DayBooking = await world.done("POST", `/bookings/${reservation.id}/payments`, { seen_version: version, method: "cash" });
    return { params: { reservation: reservation.id }, body: { seen_version: paid.version, reason: "called in time" } };
  },
  blockTables: async ({ day }) => ({ body: block(day()) }),
  endBlock: async ({ done, day }) => {
    const { id }: TableBlock = await done("POST", "/table-blocks", block(day()));
    return { params: { block: id } };
  },
  addToWaitlist: async ({ phone }) => ({ body: { name: "Wes", phone: phone(), party_size: 2 } }),
  notifyWaiting: async (world) => {
    const { id, version } = await waiting(world);
    return { params: { entry: id }, body: { seen_version: version } };
  },
  seatWaiting: async (world) => {
    const { id, version } = await waiting(world);
    return { params: { entry: id }, body: { seen_version: version } };
  },
  removeWaiting: async (world) => {
    const { id, version } = await waiting(world);
    return { params: { entry: id }, body: { seen_version: version } };
  },
  retryMessage: failedMessage,
  setMessageAside: failedMessage,
};
