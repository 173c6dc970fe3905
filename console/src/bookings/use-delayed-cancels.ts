/**
 * A cancelled booking cannot come back and its guest is told, so a cancel waits five seconds, in which it can be undone. Opening another page
 * of the console sends it at once; closing the console drops it.
 */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { useStep } from "./use-booking-writes.ts";

const DELAY_MS = 5000;

export type DelayedCancels = {
  /** When each of them is sent, by the id of the reservation. */
  dueAt: ReadonlyMap<string, number>;
  begin: (booking: DayBooking) => void;
  undo: (id: string) => void;
};

type WaitingCancel = { booking: DayBooking; dueAt: number };

export const useDelayedCancels = (venue: string): DelayedCancels => {
  const { write } = useStep(venue);
  const [waiting, setWaiting] = useState<readonly WaitingCancel[]>([]);
  const drop = (ids: readonly string[]): void =>
    setWaiting((known) => known.filter(({ booking }) => !ids.includes(booking.reservation.id)));
  const send = useEffectEvent((isDue: (cancel: WaitingCancel) => boolean) => {
    const due = waiting.filter(isDue);
    for (const { booking } of due) write({ booking, step: "cancel" });
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
      dueAt: new Map(waiting.map(({ booking, dueAt }) => [booking.reservation.id, dueAt])),
      begin: (booking) => {
        const { id } = booking.reservation;
        setWaiting((known) => [...known.filter((other) => other.booking.reservation.id !== id), { booking, dueAt: Date.now() + DELAY_MS }]);
      },
      undo: (id) => setWaiting((known) => known.filter(({ booking }) => booking.reservation.id !== id)),
    }),
    [waiting],
  );
};
