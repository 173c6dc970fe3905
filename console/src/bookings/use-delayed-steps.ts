/**
 * Steps that cannot be taken back wait five seconds, in which they can be undone: a cancelled booking, whose guest gets a message, and a
 * party at its table, which cannot become a booking again. Opening another page of the console sends them at once; closing the console
 * drops them.
 */
import type { BookingStep, DayBooking } from "@comanda/contract/console/bookings.ts";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { stepWrite, useBookingWrite } from "./use-booking-writes.ts";

const DELAY_MS = 5000;

const DELAYED = ["cancel", "seat"] as const satisfies readonly BookingStep[];
export type DelayedStep = (typeof DELAYED)[number];
export const isDelayed = (step: BookingStep): step is DelayedStep => DELAYED.some((delayed) => delayed === step);

type WaitingStep = { booking: DayBooking; step: DelayedStep; dueAt: number };

export type DelayedSteps = {
  /** The key is the id of the reservation. */
  waiting: ReadonlyMap<string, WaitingStep>;
  begin: (booking: DayBooking, step: DelayedStep) => void;
  undo: (id: string) => void;
};

export const useDelayedSteps = (venue: string): DelayedSteps => {
  const { write } = useBookingWrite(venue);
  const [waiting, setWaiting] = useState<readonly WaitingStep[]>([]);
  const drop = (ids: readonly string[]): void =>
    setWaiting((known) => known.filter(({ booking }) => !ids.includes(booking.reservation.id)));
  const send = useEffectEvent((isDue: (waits: WaitingStep) => boolean) => {
    const due = waiting.filter(isDue);
    for (const { booking, step } of due) write(stepWrite(venue, booking, step));
    drop(due.map(({ booking }) => booking.reservation.id));
  });
  useEffect(() => {
    if (waiting.length === 0) return;
    const nextAt = Math.min(...waiting.map(({ dueAt }) => dueAt));
    const timer = setTimeout(() => send(({ dueAt }) => dueAt <= nextAt), nextAt - Date.now());
    return () => clearTimeout(timer);
  }, [waiting]);
  useEffect(() => () => send(() => true), []);
  return useMemo(
    () => ({
      waiting: new Map(waiting.map((waits) => [waits.booking.reservation.id, waits])),
      begin: (booking, step) => {
        const { id } = booking.reservation;
        const waits = { booking, step, dueAt: Date.now() + DELAY_MS };
        setWaiting((known) => [...known.filter((other) => other.booking.reservation.id !== id), waits]);
      },
      undo: (id) => setWaiting((known) => known.filter(({ booking }) => booking.reservation.id !== id)),
    }),
    [waiting],
  );
};
