/** The tables where they stand, at one moment. They stand there for every reader, so the plan is not mirrored. */

import type { DayBooking, FloorTable, TableBlock } from "@comanda/contract/console/bookings.ts";
import { VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClock } from "#kit/clock.ts";
import { dateAndTimeAt, instantAt, momentOfDay, serviceDayAt } from "#kit/dates.ts";
import { placeTables } from "#kit/floor-layout.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { TimeField } from "#kit/time-field.tsx";
import { formatClock } from "#kit/venue-time.ts";
import { useBookingContext } from "./booking-context.ts";
import type { DayState } from "./day-state.ts";
import { floorStateOf, type TableState } from "./floor-state.ts";
import type { WishedTable } from "./new-booking.tsx";
import { phaseOf } from "./phases.ts";
import type { OrdersOfTable } from "./table-orders.ts";

/** A party that has just been seated is shown at once. */
const STEP_MS = 5000;

type DayFloorProps = {
  day: DayState;
  bookings: readonly DayBooking[];
  tables: readonly FloorTable[];
  /** A table that is free now was chosen. */
  onFree: (table: FloorTable) => void;
  /** A table that is free at another time was chosen. */
  onBook: (wished: WishedTable) => void;
};

/** Now, or the begin of the service where another day is shown. */
const momentOf = ({ date, zone, spans }: DayState, now: number): number => {
  if (serviceDayAt(now, zone) === date) return now;
  const starts = spans.map(({ from }) => new Date(from).getTime());
  return starts.length === 0 ? instantAt(date, "12:00", zone) : Math.min(...starts);
};

export const DayFloor = ({ day, bookings, tables, onFree, onBook }: DayFloorProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { zone, clockAheadMs, orders } = useBookingContext();
  const pick = useLocalizedName();
  const now = useClock(STEP_MS) + clockAheadMs;
  const [time, setTime] = useState("");
  const at = time === "" ? momentOf(day, now) : momentOfDay(day.date, time, zone);
  const states = floorStateOf({ tables, bookings, blocks: day.blocks, orders, at, now });
  const book = (table: FloorTable): void => onBook({ table, ...dateAndTimeAt(at, zone) });
  const branches = day.branches.filter(({ id }) => tables.some(({ branch_id }) => branch_id === id));
  return (
    <>
      <TimeField
        className="floor-moment"
        label={t("floor.at")}
        description={time === "" ? t("floor.shown", { time: formatClock(at, zone) }) : undefined}
        value={time}
        onTime={setTime}
      />
      {branches.map(({ id, name }) => (
        <section key={id} className="floor" aria-label={t("floor.of", { branch: pick(name) })}>
          {branches.length > 1 && <h2 className="booking-group-title">{pick(name)}</h2>}
          <BranchPlan tables={tables.filter(({ branch_id }) => branch_id === id)} states={states} onFree={at === now ? onFree : book} />
        </section>
      ))}
      {tables.length === 0 && <p className="booking-lead">{t("floor.none")}</p>}
    </>
  );
};

type BranchPlanProps = { tables: readonly FloorTable[]; states: ReadonlyMap<number, TableState>; onFree: (table: FloorTable) => void };

const BranchPlan = ({ tables, states, onFree }: BranchPlanProps) => {
  const places = placeTables(tables);
  return (
    <div className="floor-scroll">
      <ul className="floor-plan">
        {tables.map((table) => {
          const { x, y } = places.get(table.id) ?? { x: 50, y: 50 };
          return (
            <li key={table.id} className="floor-place" style={{ left: `${x}%`, top: `${y}%` }}>
              <TableButton table={table} state={states.get(table.id) ?? { kind: "free", until: null }} onFree={onFree} />
            </li>
          );
        })}
      </ul>
    </div>
  );
};

/** What the button says, and what a tap opens. */
const useTableText = (state: TableState): { state: string; detail: string } => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { zone } = useBookingContext();
  if (state.kind === "blocked") return { state: t("floor.blocked"), detail: state.block.reason };
  if (state.kind === "free")
    return {
      state: t("floor.free"),
      detail: state.until ? t("floor.until", { time: formatClock(state.until, zone) }) : "",
    };
  const numbersOf = ({ numbers, since }: OrdersOfTable): string => t("ordered.since", { numbers, time: formatClock(since, zone) });
  if (state.kind === "ordered") return { state: t("ordered.state"), detail: numbersOf(state.ordered) };
  const { reservation, ends_at, starts_at } = state.booking;
  const time = state.kind === "seated" ? t("floor.until", { time: formatClock(ends_at, zone) }) : formatClock(starts_at, zone);
  const order = state.kind === "due" && state.ordered ? ` · ${numbersOf(state.ordered)}` : "";
  return { state: t(`phases.${phaseOf(state.booking)}`), detail: `${reservation.party_size} · ${reservation.name} · ${time}${order}` };
};

type TableButtonProps = { table: FloorTable; state: TableState; onFree: (table: FloorTable) => void };

const TableButton = ({ table, state, onFree }: TableButtonProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { open, openBlock } = useBookingContext();
  const text = useTableText(state);
  const choose = (): void => {
    if (state.kind === "free" || state.kind === "ordered") onFree(table);
    else if (state.kind === "blocked") openBlock(state.block satisfies TableBlock);
    else open(state.booking);
  };
  return (
    <button type="button" className="floor-table" data-shape={table.shape} data-state={state.kind} onClick={choose}>
      <VisuallyHidden>{`${t("ofTable", { table: table.name })}, ${t("seats", { count: table.seats })}, ${text.state}, ${text.detail}`}</VisuallyHidden>
      <span aria-hidden="true" dir="auto">
        <b>{table.name}</b>
        <span className="floor-state">{text.state}</span>
        <span className="floor-detail">{text.detail}</span>
      </span>
    </button>
  );
};
