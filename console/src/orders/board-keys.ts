/** Work without a mouse. Letters are read by their place on the keyboard, so that they work in every language. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { type RefObject, useEffect, useEffectEvent, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { isCommandKey, type PageKey, usePageKeys } from "#shell/page-keys.tsx";
import type { CardMarks } from "./board-columns-view.tsx";
import type { OrderActions } from "./order-actions.ts";
import { STEPS } from "./order-steps.ts";
import type { OrderSelection } from "./selection.ts";
import { cardId } from "./selection.ts";

type BoardKeys = {
  orders: readonly BoardOrder[];
  marks: CardMarks;
  selection: OrderSelection;
  actions: OrderActions;
  onUndo: () => void;
  onNewOrder: () => void;
  searchField: RefObject<HTMLInputElement | null>;
};

const usePageKeyList = (): readonly PageKey[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { keys: ["J", "K"], label: t("keys.move") },
      { keys: ["Enter"], label: t("keys.next") },
      { keys: ["A"], label: t("keys.accept") },
      { keys: ["R"], label: t("keys.reject") },
      { keys: ["X"], label: t("keys.cancel") },
      { keys: ["P"], label: t("keys.print") },
      { keys: ["U"], label: t("keys.undo") },
      { keys: ["N"], label: t("keys.newOrder") },
      { keys: ["/"], label: t("keys.search") },
    ],
    [t],
  );
};

const selectNeighbour = ({ orders, selection }: BoardKeys, step: 1 | -1): void => {
  const place = orders.findIndex(({ order }) => order.id === selection.read());
  const next = orders[place < 0 ? 0 : Math.min(orders.length - 1, Math.max(0, place + step))];
  if (!next) return;
  selection.select(next.order.id);
  const card = document.getElementById(cardId(next.order.id));
  card?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: "nearest" });
};

type OrderCommand = (actions: OrderActions, order: BoardOrder) => void;

const takeNextStep: OrderCommand = ({ move }, order) => {
  const { next } = STEPS[order.order.status];
  if (next !== null) move(order, next);
};

const ORDER_COMMANDS: Record<string, OrderCommand> = {
  KeyA: ({ move }, order) => order.order.status === "placed" && move(order, "accepted"),
  KeyR: ({ open }, order) => STEPS[order.order.status].canReject && open({ kind: "reject", order }),
  KeyX: ({ open }, order) => STEPS[order.order.status].canCancel && open({ kind: "cancel", order }),
  KeyP: ({ print }, order) => print(order, "receipt"),
  Enter: takeNextStep,
};

/** Enter on a button or link is the button's own. */
const isOnControl = ({ target }: KeyboardEvent): boolean => target instanceof Element && target.closest("button, a, summary") !== null;

/** An order whose last change is not answered takes no other; one that waits for the connection takes its next steps only. */
const isBlocked = (code: string, id: string, { sendingIds, waitingIds }: CardMarks): boolean =>
  sendingIds.has(id) || (waitingIds.has(id) && (code === "KeyR" || code === "KeyX"));

const runCommand = (keys: BoardKeys, event: KeyboardEvent): boolean => {
  if (event.key === "/") {
    keys.searchField.current?.focus();
    return true;
  }
  if (event.code === "KeyJ" || event.code === "KeyK") {
    selectNeighbour(keys, event.code === "KeyJ" ? 1 : -1);
    return true;
  }
  if (event.code === "KeyN") {
    keys.onNewOrder();
    return true;
  }
  if (event.code === "KeyU") {
    keys.onUndo();
    return true;
  }
  const command = ORDER_COMMANDS[event.code];
  const order = keys.orders.find(({ order: { id } }) => id === keys.selection.read());
  if (!command || !order || isBlocked(event.code, order.order.id, keys.marks)) return false;
  if (event.code === "Enter" && isOnControl(event)) return false;
  command(keys.actions, order);
  return true;
};

export const useBoardKeys = (keys: BoardKeys): void => {
  usePageKeys(usePageKeyList());
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // A key that is held down repeats moves of the selection only.
    if ((event.repeat && event.code !== "KeyJ" && event.code !== "KeyK") || !isCommandKey(event)) return;
    if (runCommand(keys, event)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
};
