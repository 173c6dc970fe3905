/** A move of one booking on the timeline, from its begin to its answer. Pointer and keys propose places; one of them is written. */
import type { DayBooking, FloorTable } from "@comanda/contract/console/bookings.ts";
import { useRef, useState } from "react";
import { useBookingContext } from "./booking-context.ts";
import { type BarPlace, changeBack, changeOfMove, isSamePlace, type MoveFacts, type MoveProblem, problemOf } from "./timeline-moves.ts";
import { type BookingChange, changeWrite, useBookingWrite } from "./use-booking-writes.ts";

export type TimelineMove = {
  booking: DayBooking;
  start: BarPlace;
  wanted: BarPlace;
  problem: MoveProblem | null;
  /** Tables that cannot take the booking at the wanted time. They are shaded before it is dropped. */
  refused: ReadonlySet<number>;
  isSending: boolean;
  /** Enter was pressed where it cannot go. The move goes on. */
  isRefused: boolean;
};

/** Without `undo` it cannot be taken back. */
export type LastMove = { booking: DayBooking; undo: (() => void) | null };

const refusedTables = (booking: DayBooking, start: BarPlace, wanted: BarPlace, facts: MoveFacts): ReadonlySet<number> =>
  new Set(facts.tables.filter(({ id }) => problemOf(booking, start, { ...wanted, tableId: id }, facts) !== null).map(({ id }) => id));

const proposalOf = (booking: DayBooking, start: BarPlace, wanted: BarPlace, facts: MoveFacts): TimelineMove => ({
  booking,
  start,
  wanted,
  problem: problemOf(booking, start, wanted, facts),
  refused: refusedTables(booking, start, wanted, facts),
  isSending: false,
  isRefused: false,
});

export type TimelineMoves = {
  move: TimelineMove | null;
  last: LastMove | null;
  /** False while the last move is on its way. */
  begin: (booking: DayBooking, start: BarPlace) => boolean;
  propose: (next: (move: TimelineMove) => BarPlace) => void;
  /** The answered booking, or null when nothing was moved. */
  commit: () => Promise<DayBooking | null>;
  /** True when the booking cannot go there, which is said. */
  refuse: () => boolean;
  cancel: () => void;
};

/** Writes a move, and remembers how to take it back. */
const useMoveWrites = () => {
  const { venue, zone, clockAheadMs } = useBookingContext();
  const { writeAndWait } = useBookingWrite(venue);
  const [last, setLast] = useState<LastMove | null>(null);
  const undo = async (moved: DayBooking, change: BookingChange): Promise<void> => {
    setLast(null);
    await writeAndWait(changeWrite(venue, moved, change));
  };
  const write = async ({ booking, start, wanted }: TimelineMove): Promise<DayBooking | null> => {
    const change = changeOfMove(booking, start, wanted, zone);
    const moved = (await writeAndWait(changeWrite(venue, booking, change)))?.data ?? null;
    const back = changeBack(booking, change, Date.now() + clockAheadMs);
    if (moved) setLast({ booking: moved, undo: back && (() => void undo(moved, back)) });
    return moved;
  };
  return { last, dropLast: (): void => setLast(null), write };
};

export const useTimelineMove = (readFacts: () => MoveFacts): TimelineMoves => {
  const { last, dropLast, write } = useMoveWrites();
  const [shown, setShown] = useState<TimelineMove | null>(null);
  /** The newest proposal: a drop follows its last step before the page is rendered again. */
  const current = useRef<TimelineMove | null>(null);
  const set = (move: TimelineMove | null): void => {
    current.current = move;
    setShown(move);
  };
  const send = async (move: TimelineMove): Promise<DayBooking | null> => {
    set({ ...move, isSending: true });
    const moved = await write(move);
    set(null);
    return moved;
  };
  return {
    move: shown,
    last,
    begin: (booking, start) => {
      if (current.current?.isSending) return false;
      dropLast();
      set(proposalOf(booking, start, start, readFacts()));
      return true;
    },
    propose: (next) => {
      const known = current.current;
      if (!known || known.isSending) return;
      const wanted = next(known);
      if (!isSamePlace(wanted, known.wanted)) set(proposalOf(known.booking, known.start, wanted, readFacts()));
    },
    commit: async () => {
      const known = current.current;
      if (!known || known.isSending) return null;
      if (known.problem === null && !isSamePlace(known.start, known.wanted)) return send(known);
      set(null);
      return null;
    },
    refuse: () => {
      const known = current.current;
      if (!known || known.problem === null) return false;
      set({ ...known, isRefused: true });
      return true;
    },
    cancel: () => {
      if (!current.current?.isSending) set(null);
    },
  };
};

export const nameOfTable = (tables: readonly FloorTable[], wantedId: number): string =>
  tables.find(({ id }) => id === wantedId)?.name ?? "";
