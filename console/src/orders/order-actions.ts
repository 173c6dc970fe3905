/** What a card can ask the page to do. It keeps its identity, so that only cards that change are rendered. */
import type { BoardBranch, BoardOrder, OrderPayment } from "@comanda/contract/console/orders.ts";
import type { StockChoice } from "@comanda/contract/console/stock-kinds.ts";
import type { OrderLine, StatusMove } from "@comanda/contract/venue/orders.ts";
import { createContext, useContext } from "react";
import type { OrderSelection } from "./selection.ts";

export type PrintKind = "receipt" | "ticket";

export type OrderDialog =
  | { kind: "reject" | "cancel" | "payment" | "details" | "bill"; order: BoardOrder }
  | { kind: "refund"; order: BoardOrder; payment: OrderPayment }
  | { kind: "strike"; order: BoardOrder; line: OrderLine };

/** `stock`: what happens to the ingredients when the kitchen has begun. */
export type MoveReason = { reason: string; stock?: StockChoice };

export type OrderActions = {
  move: (order: BoardOrder, status: StatusMove["status"], why?: MoveReason) => void;
  open: (dialog: OrderDialog) => void;
  print: (order: BoardOrder, kind: PrintKind) => void;
  /** Takes another order for this table. */
  addRound: (tableCode: string) => void;
};

/** `branches` are those that a card must name: orders of several branches can have the same number. */
export type BoardClock = { zone: string; clockAheadMs: number; branches: readonly BoardBranch[]; selection: OrderSelection };

export const BoardContext = createContext<(OrderActions & BoardClock) | null>(null);

export const useBoardContext = (): OrderActions & BoardClock => {
  const context = useContext(BoardContext);
  if (!context) throw new Error("A card is rendered outside the board.");
  return context;
};
