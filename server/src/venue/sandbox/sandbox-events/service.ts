/**
 * Triggers events in a sandbox by real changes, with the services of a restaurant. Each trigger is one commit and needs only the sample, so it
 * can be repeated. What a person has changed in the sandbox can refuse it, as it would refuse a person.
 */
import { randomInt } from "node:crypto";
import type { ExperienceSession } from "@comanda/contract/console/experiences.ts";
import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import type { EmittedEvent } from "@comanda/contract/events/envelope.ts";
import { SANDBOX_DISH_ID, SANDBOX_SOLD_OUT_ID } from "@comanda/contract/sandbox/sandbox-ids.ts";
import type { Order } from "@comanda/contract/venue/orders.ts";
import type { Reservation } from "@comanda/contract/venue/reservations.ts";
import type { Ctx } from "#lib/context.ts";
import { validationError } from "#lib/errors.ts";
import { addDays, formatDate } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { emitPing } from "#platform/events/service.ts";
import { PING_MESSAGE } from "#platform/events/webhook-deliveries/service/endpoints.ts";
import { paySeenTickets } from "#venue/bookings/experiences/service/sales.ts";
import { addSessions, readDesk } from "#venue/bookings/experiences/service/sessions.ts";
import { bookTickets } from "#venue/bookings/experiences/service/tickets.ts";
import { findReservationForChange, makeReservation, readAvailability } from "#venue/bookings/reservations/service/bookings.ts";
import { moveReservation } from "#venue/bookings/reservations/service/changes.ts";
import { storeReview } from "#venue/guest-records/reviews/service/submission.ts";
import { changeGuest } from "#venue/guests/service.ts";
import { findItemForChange, flipItem } from "#venue/menu/service/items.ts";
import { issueCard } from "#venue/orders/gift-cards/service/cards.ts";
import { payOrderWithCard } from "#venue/orders/gift-cards/service/payments.ts";
import { recordPayment, refundPayment } from "#venue/orders/payments/service.ts";
import { findOrderForChange, moveOrder, placeOrder } from "#venue/orders/service.ts";
import { addShift, changeSeenShift } from "#venue/shifts/service/planning.ts";
import { publishWeek } from "#venue/shifts/service/publishing.ts";
import { readWeek } from "#venue/shifts/service/weeks.ts";
import { readSheet, recordMove } from "#venue/stock/service/levels.ts";

type EventTrigger = (ctx: Ctx) => Promise<unknown>;

const PARTY_SIZE = 2;
const DAYS_AHEAD = 14;
const CARD_MINOR = 5000;
const RATING = 5;
const TRIAL_SESSION = { time: "18:00", capacity: 8, weeks: 1 };
const REASON = "A trial in the sandbox";

/** The phone number is one that no other guest of the sandbox has. */
const newContact = () => ({ name: "Robin Trial", phone: `+44 7700 ${randomInt(900_000, 1_000_000)}` });

const placeTrialOrder = (ctx: Ctx): Promise<Order> => {
  const { name, phone } = newContact();
  const lines = [{ item_id: SANDBOX_DISH_ID, quantity: 1 }];
  return placeOrder(ctx, { type: "pickup", customer_name: name, customer_phone: phone, lines });
};

const accept = async (ctx: Ctx, { id }: Order): Promise<Order> => moveOrder(ctx, await findOrderForChange(ctx, id), { status: "accepted" });

const payWhole = (ctx: Ctx, { id, total_minor }: Order) => recordPayment(ctx, id, { method: "cash", amount_minor: total_minor });

/** Books on the first of the next days that has a free time. */
const bookTrial = async (ctx: Ctx): Promise<Reservation> => {
  const today = wallClock(ctx.tenant.zone, ctx.now);
  for (let days = 1; days <= DAYS_AHEAD; days++) {
    const date = formatDate(addDays(today, days));
    const slot = (await readAvailability(ctx, date, PARTY_SIZE)).slots.find(({ available }) => available);
    if (slot) return makeReservation(ctx, { ...newContact(), party_size: PARTY_SIZE, date, time: slot.time, status: "pending" });
  }
  throw validationError({ type: ["No table of the sandbox is free in the next two weeks. Reset the sandbox."] });
};

const moveTrial = async (ctx: Ctx, to: "confirmed" | "cancelled"): Promise<Reservation> => {
  const { id } = await bookTrial(ctx);
  return moveReservation(ctx, await findReservationForChange(ctx, id), to);
};

const flipDish: EventTrigger = async (ctx) => {
  const row = await findItemForChange(ctx, SANDBOX_SOLD_OUT_ID);
  flipItem(ctx, row, { is_available: !row.is_available, sold_out_until: null });
};

const issueTrialCard = async (ctx: Ctx): Promise<string> => {
  const code = drawGiftCardCode();
  await issueCard(ctx, { code, amount_minor: CARD_MINOR, expires_on: null, guest_id: null, message: null }, { reason: REASON });
  return code;
};

const redeemTrialCard: EventTrigger = async (ctx) => {
  const code = await issueTrialCard(ctx);
  const { id, total_minor } = await placeTrialOrder(ctx);
  return payOrderWithCard(ctx, id, { code, amount_minor: Math.min(CARD_MINOR, total_minor) });
};

const rateTrialOrder: EventTrigger = async (ctx) => {
  const { id } = await placeTrialOrder(ctx);
  return storeReview(ctx, { order_id: id, reservation_id: null }, { rating: RATING, comment: "As good as promised." });
};

/** Fills the ingredient up to par first, if it is below: only a fall from par or above emits the event. */
const fallBelowPar: EventTrigger = async (ctx) => {
  const { branch_id, ingredients } = await readSheet(ctx, undefined);
  const [first] = ingredients.filter(({ par_level }) => par_level !== null && par_level > 0);
  if (!first || first.par_level === null)
    throw validationError({ type: ["No ingredient of the sandbox has a par level. Reset the sandbox."] });
  const { id, on_hand, par_level } = first;
  const line = (quantity: number) => [{ ingredient_id: id, quantity }];
  if (on_hand < par_level) await recordMove(ctx, "delivery", { branch_id, lines: line(par_level - on_hand), reason: null });
  await recordMove(ctx, "waste", { branch_id, lines: line(Math.max(on_hand, par_level)), reason: REASON });
};

/** Changes the note of a shift of this week, unless a change waits for its publication already. */
const publishTrialWeek: EventTrigger = async (ctx) => {
  const week = await readWeek(ctx, {});
  const { branch_id, week_start, shifts, people, days } = week;
  const planned = shifts.find(({ state }) => state !== "removed");
  const [[person], [day]] = [people, days];
  if (week.changes === 0 && planned) {
    const { id, version: seen_version, staff_id, date, from, to, role, note } = planned;
    const shift = { staff_id, date, from, to, role, note: note === REASON ? null : REASON };
    await changeSeenShift(ctx, id, () => ({ seen_version, shift }));
  } else if (week.changes === 0) {
    const shift = { staff_id: person?.id ?? 0, date: day?.date ?? week_start, from: "10:00", to: "18:00", role: null, note: REASON };
    await addShift(ctx, { branch_id, shift });
  }
  const { version } = await readWeek(ctx, { branch: branch_id, week_start });
  return publishWeek(ctx, { branch_id, week_start, seen_version: version });
};

const sellTrialTickets: EventTrigger = async (ctx) => {
  const { experiences, sessions } = await readDesk(ctx, undefined);
  const sold = experiences.filter(({ is_active, is_removed }) => is_active && !is_removed).map(({ id }) => id);
  const open = sessions.find(
    ({ experience_id, capacity, sold: taken, held, is_cancelled, starts_at }) =>
      sold.includes(experience_id) && !is_cancelled && taken + held < capacity && new Date(starts_at) > ctx.now,
  );
  const session = open ?? (await addTrialSession(ctx, sold[0], sessions));
  if (!session) throw validationError({ type: ["No experience of the sandbox can be sold. Reset the sandbox."] });
  const tickets = await bookTickets(ctx, session.id, () => ({ ...newContact(), tickets: 1, email: null }));
  if (tickets.state === "held") await paySeenTickets(ctx, tickets.id, () => ({ seen_version: tickets.version, method: "cash" }));
};

/** The sample's sessions are sold out or, after a move of the clock, over. Behind the last one, where no session is yet. */
const addTrialSession = async (ctx: Ctx, experienceId: number | undefined, sessions: readonly ExperienceSession[]) => {
  if (experienceId === undefined) return undefined;
  const last = Math.max(ctx.now.getTime(), ...sessions.map(({ starts_at }) => Date.parse(starts_at)));
  const date = formatDate(addDays(wallClock(ctx.tenant.zone, new Date(last)), 1));
  return (await addSessions(ctx, experienceId, () => ({ date, ...TRIAL_SESSION })))[0];
};

const changeTrialGuest: EventTrigger = async (ctx) => {
  const { guest_id } = await findOrderForChange(ctx, (await placeTrialOrder(ctx)).id);
  return changeGuest(ctx, guest_id ?? 0, { marketing_opted_in: true });
};

const TRIGGERS: Record<EmittedEvent, EventTrigger> = {
  ping: async (ctx) => emitPing(ctx, { message: PING_MESSAGE }),
  "order.created": placeTrialOrder,
  "order.status_changed": async (ctx) => accept(ctx, await placeTrialOrder(ctx)),
  "order.paid": async (ctx) => payWhole(ctx, await placeTrialOrder(ctx)),
  "payment.refunded": async (ctx) => {
    const order = await placeTrialOrder(ctx);
    return refundPayment(ctx, (await payWhole(ctx, order)).id, { amount_minor: order.total_minor, reason: REASON });
  },
  "reservation.created": bookTrial,
  "reservation.updated": (ctx) => moveTrial(ctx, "confirmed"),
  "reservation.cancelled": (ctx) => moveTrial(ctx, "cancelled"),
  "menu.item_updated": flipDish,
  "guest.created": placeTrialOrder,
  "guest.updated": changeTrialGuest,
  "giftcard.issued": issueTrialCard,
  "giftcard.redeemed": redeemTrialCard,
  "review.created": rateTrialOrder,
  "stock.below_par": fallBelowPar,
  "shift.published": publishTrialWeek,
  "experience.booked": sellTrialTickets,
};

export const TRIGGERED_EVENTS = Object.keys(TRIGGERS) as EmittedEvent[];

/** Other events come with it: an order of a new guest also emits `guest.created`. */
export const triggerEvent = async (ctx: Ctx, type: EmittedEvent): Promise<void> => {
  if (ctx.tenant.kind !== "sandbox") throw new Error("Events are triggered in sandboxes only");
  await TRIGGERS[type](ctx);
};
