/** What the keys do on the wall: select, bump, recall and turn pages. */
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { useState } from "react";
import { type BumpAction, placeOf } from "./key-bindings.ts";
import type { KitchenActions } from "./kitchen-actions.ts";
import { besideOf, type TicketPage, ticketsOn } from "./ticket-pages.ts";
import type { BumpedTicket } from "./use-kitchen-actions.ts";

type WallKeysInput = {
  pages: readonly TicketPage[];
  page: number;
  setPage: (page: number) => void;
  actions: KitchenActions;
  bumps: readonly BumpedTicket[];
  openRecall: () => void;
};

type Moves = Pick<WallKeysInput, "pages" | "page" | "setPage">;

/** The selected ticket. After a bump the ticket that takes its place is selected. */
const useSelection = ({ pages, page, setPage }: Moves) => {
  const [wantedId, setWantedId] = useState<number | null>(null);
  const [lastPlace, setLastPlace] = useState(0);
  const tickets = ticketsOn(pages[page]);
  const isThere = tickets.some(({ id }) => id === wantedId);
  const selectedId = isThere || wantedId === null ? wantedId : (tickets[Math.min(lastPlace, tickets.length - 1)]?.id ?? null);
  const select = (among: readonly KitchenTicket[], place: number): void => {
    setWantedId(among[place]?.id ?? null);
    setLastPlace(place);
  };
  const turn = (step: 1 | -1): void => {
    const next = page + step;
    if (next < 0 || next >= pages.length) return;
    setPage(next);
    const there = ticketsOn(pages[next]);
    if (wantedId !== null) select(there, step === 1 ? 0 : there.length - 1);
  };
  const move = (step: 1 | -1): void => {
    const place = tickets.findIndex(({ id }) => id === selectedId);
    const next = place < 0 ? 0 : place + step;
    if (next < 0 || next >= tickets.length) turn(step);
    else select(tickets, next);
  };
  const moveBeside = (side: 1 | -1): void => {
    // The columns run from the reading side.
    const step = document.documentElement.dir === "rtl" ? (side === 1 ? -1 : 1) : side;
    const id = besideOf(pages[page] ?? [], selectedId, step);
    const place = tickets.findIndex((ticket) => ticket.id === id);
    if (place < 0) turn(step);
    else select(tickets, place);
  };
  return { tickets, selectedId, setLastPlace, turn, move, moveBeside };
};

export const useWallKeys = ({ actions, bumps, openRecall, ...moves }: WallKeysInput) => {
  const { tickets, selectedId, setLastPlace, turn, move, moveBeside } = useSelection(moves);
  const bump = (ticket: KitchenTicket | undefined): void => {
    if (!ticket) return;
    if (ticket.id === selectedId) setLastPlace(tickets.indexOf(ticket));
    if (ticket.state === "voided") actions.acknowledge(ticket);
    else actions.bump(ticket);
  };
  const doOther: Record<Exclude<BumpAction, `bump_${number}`>, () => void> = {
    bump: () => bump(tickets.find(({ id }) => id === selectedId)),
    recall: () => (bumps[0] ? actions.recall(bumps[0].ticket) : openRecall()),
    next: () => move(1),
    previous: () => move(-1),
    left: () => moveBeside(-1),
    right: () => moveBeside(1),
    page_next: () => turn(1),
    page_previous: () => turn(-1),
  };
  const onAction = (action: BumpAction): void => {
    const digit = placeOf(action);
    if (digit === null) doOther[action as keyof typeof doOther]();
    else bump(tickets[digit]);
  };
  return { selectedId, onAction };
};
