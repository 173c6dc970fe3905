/** Messages to the guest of a booking. */
import type { ReservationStatus } from "@comanda/contract/venue/reservations.ts";
import type { Ctx } from "#lib/context.ts";
import {
  type MessageHeader,
  type NotificationKind,
  queueNotification,
  readMessageHeader,
} from "#platform/messages/notifications/service.ts";
import { readLocale } from "#venue/guests/service.ts";
import type { ReservationRow } from "../store.ts";

export const notifyGuest = async (
  ctx: Ctx,
  reservation: ReservationRow,
  kind: NotificationKind,
  { header, locale }: { header: MessageHeader; locale: string | null },
): Promise<void> => {
  const { guest_id, phone, email, name, date, time, party_size } = reservation;
  // The guest was erased: there is no address to write to.
  if (phone === "" && email === null) return;
  await queueNotification(ctx, {
    kind,
    guest: { id: guest_id, locale, phone, email },
    header,
    facts: { guest: name, date, time, party: party_size },
    about: { kind: "reservation", id: reservation.id },
  });
};

/** The message to the guest after each move. A guest who was seated gets none. */
const NOTIFICATIONS: Partial<Record<ReservationStatus, NotificationKind>> = {
  confirmed: "reservation.confirmed",
  declined: "reservation.cancelled",
  cancelled: "reservation.cancelled",
};

export const tellGuestOfMove = async (ctx: Ctx, reservation: ReservationRow, to: ReservationStatus): Promise<void> => {
  const notice = NOTIFICATIONS[to];
  if (!notice) return;
  const [header, locale] = await Promise.all([readMessageHeader(ctx), readLocale(ctx, reservation.guest_id)]);
  await notifyGuest(ctx, reservation, notice, { header, locale });
};
