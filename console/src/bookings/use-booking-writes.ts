/** What the page writes. A lost race shows the present state and the name of the first person. */
import type { BookingStep, DayBooking } from "@comanda/contract/console/bookings.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { hasErrorCode, isUnanswered } from "#kit/api.ts";
import { useToast } from "#kit/toast.ts";
import { type Changed, type KeyedWrite, useWrite } from "#kit/write.ts";
import { applyBooking, bookingKeys } from "./day-query.ts";
import { phaseOf } from "./phases.ts";

/** Their answer is the booking. */
type BookingCall =
  | "stepBooking"
  | "answerBooking"
  | "changeBooking"
  | "makeBooking"
  | "seatWalkIn"
  | "seatWaiting"
  | "askDeposit"
  | "takeDeposit"
  | "refundDeposit";

/** A connection that never answers must not keep the button for minutes. */
const ANSWER_MS_MAX = 10_000;

/** `onRefused` is not called when the answer was lost: the next press repeats the write. */
export const useBookingWrite = (venue: string, onRefused?: (wanted: KeyedWrite<BookingCall>) => void) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const toast = useToast();
  const client = useQueryClient();
  const takeOver = ({ booking: present, changed_by }: Changed): string | undefined => {
    const booking = present as DayBooking | undefined;
    if (!booking) return undefined;
    applyBooking(client, venue, booking);
    return t("faster", { name: booking.reservation.name, who: changed_by ?? t("colleague"), state: t(`phases.${phaseOf(booking)}`) });
  };
  return useWrite<BookingCall>({
    readAgain: bookingKeys(venue),
    waitMsMax: ANSWER_MS_MAX,
    onDone: ({ data }) => applyBooking(client, venue, data),
    onChanged: (changed, wanted) => {
      onRefused?.(wanted);
      return takeOver(changed);
    },
    onRefused: (error, wanted) => {
      if (hasErrorCode(error, "role_required")) toast.note(t("managerAnswers"));
      else toast.refusal(error);
      if (!isUnanswered(error)) onRefused?.(wanted);
    },
  });
};

export const stepWrite = (venue: string, { reservation, version }: DayBooking, step: BookingStep): KeyedWrite<"stepBooking"> => ({
  id: "stepBooking",
  params: { venue, reservation: reservation.id },
  body: { seen_version: version, step },
});

export type BookingChange = {
  name?: string;
  phone?: string;
  note?: string | null;
  date?: string;
  time?: string;
  party_size?: number;
  table_ids?: number[];
  minutes?: number;
};

export const changeWrite = (venue: string, { reservation, version }: DayBooking, change: BookingChange): KeyedWrite<"changeBooking"> => ({
  id: "changeBooking",
  params: { venue, reservation: reservation.id },
  body: { seen_version: version, ...change },
});
