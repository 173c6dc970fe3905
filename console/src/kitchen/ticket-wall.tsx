/** The columns of tickets of one page. */
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { TicketCard } from "./ticket-card.tsx";
import { pagesOf, type TicketPage, ticketsOn, type WallSize } from "./ticket-pages.ts";

const GAP_PX = 14;
const COLUMN_PX = 292;
const WIDE_COLUMN_PX = 370;
const WIDE_PX = 1300;

const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLElement): WallSize => {
  const column = width >= WIDE_PX ? WIDE_COLUMN_PX : COLUMN_PX;
  return { columns: Math.max(1, Math.floor((width + GAP_PX) / (column + GAP_PX))), width, height, gap: GAP_PX };
};

const isSame = (a: WallSize, b: WallSize): boolean => a.width === b.width && a.height === b.height;

/** The space for tickets, as the browser lays it out. */
const useWallSize = () => {
  const wall = useRef<HTMLElement>(null);
  const [size, setSize] = useState<WallSize>({ columns: 4, width: 0, height: 900, gap: GAP_PX });
  useLayoutEffect(() => {
    const element = wall.current;
    if (!element) return;
    const measure = (): void => setSize((known) => (isSame(known, sizeOf(element)) ? known : sizeOf(element)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { wall, size };
};

type MeasuredParts = { measured: ReadonlyMap<string, number>; of: WallSize };
const NOTHING_MEASURED: ReadonlyMap<string, number> = new Map();

/** Divides the tickets into pages by the heights that were measured. A page that is shown is measured before it is painted. */
export const useTicketPages = (tickets: readonly KitchenTicket[], shownPage: number, isExpo: boolean) => {
  const { wall, size } = useWallSize();
  const [{ measured, of }, setMeasured] = useState<MeasuredParts>({ measured: new Map(), of: size });
  // Heights that were measured in columns of another width say nothing.
  const known = of === size ? measured : NOTHING_MEASURED;
  const pages = useMemo(() => pagesOf(tickets, size, known, isExpo), [tickets, size, known, isExpo]);
  const page = Math.max(0, Math.min(shownPage, pages.length - 1));
  useLayoutEffect(() => {
    const cards = [...(wall.current?.querySelectorAll<HTMLElement>("[data-part]") ?? [])];
    const heights = cards.map((card) => [card.dataset.part ?? "", card.offsetHeight] as const);
    const isNew = heights.some(([key, height]) => known.get(key) !== height);
    if (!isNew) return;
    const partKeys = new Set(pages.flat(2).map(({ key }) => key));
    setMeasured({ measured: new Map([...[...known].filter(([key]) => partKeys.has(key)), ...heights]), of: size });
  });
  return { wall, pages, page, columns: size.columns };
};

type WallProps = {
  wall: RefObject<HTMLElement | null>;
  page: TicketPage;
  columns: number;
  selectedId: number | null;
  waitingIds: ReadonlySet<number>;
  litKey: string | null;
  isExpo: boolean;
};

const PLACES_MAX = 9;

export const TicketWall = ({ wall, page, columns, selectedId, waitingIds, litKey, isExpo }: WallProps) => {
  const places = new Map(ticketsOn(page).map(({ id }, place) => [id, place + 1]));
  const placeOf = (id: number): number | null => {
    const place = places.get(id) ?? null;
    return place !== null && place <= PLACES_MAX ? place : null;
  };
  return (
    <main ref={wall} className="kd-wall" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {page.length === 0 && <NothingToCook />}
      {page.map((parts) => (
        <div key={parts[0]?.key} className="kd-column">
          {parts.map((part, place) => (
            <TicketCard
              key={part.key}
              part={part}
              place={part.part === 0 ? placeOf(part.ticket.id) : null}
              isSelected={part.ticket.id === selectedId}
              isWaiting={waitingIds.has(part.ticket.id)}
              isJoined={isExpo && parts[place - 1]?.ticket.order_id === part.ticket.order_id}
              isFollowed={isExpo && parts[place + 1]?.ticket.order_id === part.ticket.order_id}
              litKey={litKey}
            />
          ))}
        </div>
      ))}
    </main>
  );
};

const NothingToCook = () => {
  const { t } = useTranslation();
  return (
    <div className="kd-empty">
      <h2>{t("kitchen.emptyTitle")}</h2>
      <p>{t("kitchen.emptyLead")}</p>
    </div>
  );
};
