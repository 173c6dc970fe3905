/**
 * Moves of orders: shown at once, sent after the time for an undo, then confirmed by the server. The steps of the kitchen and the counter
 * are held in the outbox, which keeps them while there is no connection as well.
 */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { OrderStatus, StatusMove } from "@comanda/contract/venue/orders.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { isWorthRetrying } from "#kit/api.ts";
import { callWithKey } from "#kit/keyed-call.ts";
import { newKey } from "#kit/new-key.ts";
import { formatMoney } from "#kit/number-format.ts";
import { outboxOf, useMoveList } from "#offline/outboxes.ts";
import { isHeldBack, isQueued, type QueuedMove, UNDO_MS } from "#offline/queued-moves.ts";
import { useSession } from "#shell/session.ts";
import { applyWritten } from "./board-query.ts";
import { dueOf } from "./counter-amounts.ts";
import type { MoveReason } from "./order-actions.ts";
import { orderNameOf } from "./order-steps.ts";
import {
  addMove,
  followSteps,
  type HeldInMemory,
  type HeldMove,
  nextDueAt,
  type OrderMove,
  splitDue,
  undoable,
  undoMove,
} from "./undo-queue.ts";
import { useMoveError } from "./write-errors.ts";

export type StatusById = ReadonlyMap<string, OrderStatus>;

const unpaidOf = (order: BoardOrder): string | null => (dueOf(order) === 0 ? null : formatMoney(dueOf(order), order.order.currency));

const without = (moves: readonly OrderMove[], key: string): OrderMove[] => moves.filter((move) => move.key !== key);

/** Sends moves that do not wait for a connection, each after the steps of its order that were on their way, and knows which are under way. */
const useSendNow = (venue: string, person: number) => {
  const queryClient = useQueryClient();
  const explain = useMoveError();
  const [sending, setSending] = useState<readonly OrderMove[]>([]);
  const { mutate } = useMutation({
    mutationFn: async (move: OrderMove) => {
      await outboxOf(person).whenAnswered(move.afterKeys);
      return callWithKey("moveBoardOrder", {
        params: { venue, order: move.orderId },
        idempotencyKey: move.key,
        body: {
          seen_status: move.seenStatus,
          status: move.status,
          ...(move.reason === null ? {} : { reason: move.reason }),
          ...(move.stock === null ? {} : { stock: move.stock }),
        },
      });
    },
    networkMode: "always",
    retry: isWorthRetrying,
    onMutate: (move) => setSending((moves) => [...moves, move]),
    onSuccess: ({ data }) => applyWritten(queryClient, venue, data),
    onError: (error) => explain(error, venue),
    onSettled: (_data, _error, move) => setSending((moves) => without(moves, move.key)),
  });
  return { sending, send: mutate };
};

/** Leaving the board inside the console sends what is held. Closing the page does not: nothing is run then. */
const useUndoQueue = (send: (move: OrderMove) => void) => {
  const [queue, setQueue] = useState<HeldInMemory[]>([]);
  const last = useRef(queue);
  last.current = queue;
  useEffect(() => {
    const dueAt = nextDueAt(queue);
    if (dueAt === null) return;
    const timer = setTimeout(() => {
      const { due, rest } = splitDue(last.current, Date.now());
      setQueue(rest);
      for (const move of due) send(move);
    }, dueAt - Date.now());
    return () => clearTimeout(timer);
  }, [queue, send]);
  useEffect(
    () => () => {
      for (const move of last.current.splice(0)) send(move);
    },
    [send],
  );
  return { queue, setQueue };
};

/** Moves of this venue in the outbox, and those of them that wait for the connection. The others block nothing. */
const useOutboxMoves = (venue: string, person: number) => {
  const { moves, waitingKeys } = useMoveList(person);
  return useMemo(() => {
    const own = moves.filter((move) => move.venue === venue);
    return { own, waiting: own.filter(({ key }) => waitingKeys.has(key)) };
  }, [moves, waitingKeys, venue]);
};

/** The moves that can still be taken back. When the time of one is over, the page is drawn without it. */
const useHeldMoves = (own: readonly QueuedMove[]): HeldMove[] => {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const held = own.flatMap(({ dueAt = 0, unpaid = null, ...move }) =>
    isHeldBack({ ...move, dueAt }, own, Date.now()) ? [{ ...move, dueAt, unpaid }] : [],
  );
  const dueAt = nextDueAt(held);
  useEffect(() => {
    if (dueAt === null) return;
    const timer = setTimeout(redraw, dueAt - Date.now());
    return () => clearTimeout(timer);
  }, [dueAt]);
  return held;
};

const idsOf = (moves: readonly Pick<OrderMove, "orderId">[]): ReadonlySet<string> => new Set(moves.map(({ orderId }) => orderId));

/** What the board shows of moves that the server has not confirmed. */
export type UnconfirmedMoves = {
  shown: StatusById;
  waiting: readonly QueuedMove[];
  waitingIds: ReadonlySet<string>;
  sendingIds: ReadonlySet<string>;
};

export const useOrderMoves = (venue: string) => {
  const person = useSession().person.id;
  const { own, waiting } = useOutboxMoves(venue, person);
  const { sending, send: sendNow } = useSendNow(venue, person);
  const { queue, setQueue } = useUndoQueue(sendNow);
  const held = undoable([...useHeldMoves(own), ...queue]);
  const move = useCallback(
    (order: BoardOrder, status: StatusMove["status"], why: MoveReason | null = null): void => {
      const { id, status: seenStatus } = order.order;
      const { reason, stock = null } = why ?? { reason: null };
      const made = { key: newKey(), orderId: id, name: orderNameOf(order), seenStatus, status, unpaid: unpaidOf(order) };
      const at = Date.now();
      const outbox = outboxOf(person);
      if (isQueued(status)) return void outbox.add({ ...made, venue, person, at, dueAt: at + UNDO_MS });
      // The steps of this order that are held are not wanted any more: it is closed in the status that the server has.
      const [firstStep] = outbox.readSteps(id);
      const takenBack = outbox.takeBackOrder(id);
      const follow = (): void => {
        const left = outbox.readSteps(id);
        setQueue((moves) => followSteps(moves, made.key, left));
      };
      setQueue((moves) => addMove(moves, { ...made, seenStatus: firstStep?.seenStatus ?? seenStatus, reason, stock, afterKeys: [] }, at));
      follow();
      // Another tab can have sent one of them before.
      void takenBack.then(follow);
    },
    [setQueue, person, venue],
  );
  const undo = useCallback(
    (key: string) => {
      setQueue((moves) => undoMove(moves, key));
      void outboxOf(person).takeBack(key);
    },
    [setQueue, person],
  );
  const unconfirmed: UnconfirmedMoves = useMemo(
    () => ({
      // The last move of an order is the one that is shown.
      shown: new Map([...own, ...sending, ...queue].map(({ orderId, status }) => [orderId, status] as const)),
      waiting,
      waitingIds: idsOf(waiting),
      sendingIds: idsOf(sending),
    }),
    [own, waiting, sending, queue],
  );
  return { held, unconfirmed, move, undo };
};

/** The last result for each order: a card is rendered again only when its order is another one. */
const chosen = new WeakMap<BoardOrder, BoardOrder>();

const withStatus = (order: BoardOrder, status: OrderStatus): BoardOrder => {
  const last = chosen.get(order);
  if (last?.order.status === status) return last;
  const changed = { ...order, order: { ...order.order, status } };
  chosen.set(order, changed);
  return changed;
};

/** The orders with the statuses that the person chose and the server has not confirmed. */
export const withChosenStatuses = (orders: readonly BoardOrder[], shown: StatusById): BoardOrder[] =>
  orders.map((order) => {
    const status = shown.get(order.order.id);
    return status === undefined ? order : withStatus(order, status);
  });
