/** The board's data: one query, which asks for what changed after the position it has. */
import type { OrderTypeState } from "@comanda/contract/console/order-types.ts";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../api.ts";
import { pollUnlessStreaming } from "../change-stream.ts";
import { type BoardState, mergeBoard, mergeOrderType, mergeWritten } from "./board-state.ts";

const POLL_EVERY_MS = 4000;

const boardKey = (venue: string) => ["board", venue] as const;

const boardQuery = (venue: string) =>
  queryOptions({
    queryKey: boardKey(venue),
    queryFn: async ({ client }): Promise<BoardState> => {
      const readKnown = () => client.getQueryData<BoardState>(boardKey(venue));
      const position = readKnown()?.position;
      const { data } = await call("readBoard", { params: { venue }, query: position === undefined ? {} : { after: position } });
      // A write may have been answered meanwhile.
      return mergeBoard(readKnown(), data, Date.now());
    },
    staleTime: 0,
    // A reading that failed is repeated, because the stream tells of a change once.
    refetchInterval: ({ state }) => (state.status === "error" ? POLL_EVERY_MS : pollUnlessStreaming(POLL_EVERY_MS)),
    refetchIntervalInBackground: true,
  });

export const useBoard = (venue: string) => useQuery(boardQuery(venue));

/** Takes over the answer to a write, and reads again what else shows the order. */
export const applyWritten = (queryClient: QueryClient, venue: string, written: BoardOrder): void => {
  queryClient.setQueryData<BoardState>(boardKey(venue), (board) => board && mergeWritten(board, written));
  for (const name of ["order", "closed-orders", "takings"]) void queryClient.invalidateQueries({ queryKey: [name, venue] });
};

export const applyOrderType = (queryClient: QueryClient, venue: string, written: OrderTypeState): void =>
  void queryClient.setQueryData<BoardState>(boardKey(venue), (board) => board && mergeOrderType(board, written));

export const closedOrdersQuery = (venue: string) =>
  queryOptions({
    queryKey: ["closed-orders", venue],
    queryFn: async () => (await call("findBoardOrders", { params: { venue }, query: { is_closed: true } })).data,
  });

export const foundOrdersQuery = (venue: string, search: string) =>
  queryOptions({
    queryKey: ["order", venue, "search", search],
    queryFn: async () => (await call("findBoardOrders", { params: { venue }, query: { search } })).data,
  });

export const orderDetailsQuery = (venue: string, order: string) =>
  queryOptions({
    queryKey: ["order", venue, "details", order],
    queryFn: async () => (await call("readOrderDetails", { params: { venue, order } })).data,
  });
