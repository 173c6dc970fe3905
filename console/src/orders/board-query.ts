/** The board's data: one query, which asks for what changed after the position it has. */
import type { OrderTypeState } from "@comanda/contract/console/order-types.ts";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call, hasErrorCode, isServiceAway } from "#kit/api.ts";
import { type BoardOwner, dropKeptBoard, findKeptBoard, keepBoard } from "#offline/board-copies.ts";
import type { BoardState } from "#offline/local-database.ts";
import { pollUnlessStreaming, readHeardAge } from "#shell/change-stream.ts";
import { sessionQuery } from "#shell/session.ts";
import { mergeBoard, mergeOrderType, mergeWritten, positionToAsk } from "./board-state.ts";

const POLL_EVERY_MS = 4000;
/** A connection that takes everything and answers nothing must not hold up the next reading. */
const ANSWER_MS_MAX = 10_000;

const boardKey = (venue: string) => ["board", venue] as const;

const boardQuery = (venue: string) =>
  queryOptions({
    queryKey: boardKey(venue),
    queryFn: async ({ client }): Promise<BoardState> => {
      const readKnown = () => client.getQueryData<BoardState>(boardKey(venue));
      const person = client.getQueryData(sessionQuery.queryKey)?.person.id;
      const after = positionToAsk(readKnown());
      try {
        const query = after === null ? {} : { after };
        const { data } = await call("readBoard", { params: { venue }, query, waitMsMax: ANSWER_MS_MAX });
        // A write may have been answered meanwhile.
        const board = mergeBoard(readKnown(), data, Date.now());
        if (person !== undefined) keepBoard({ person, venue }, board, Date.now());
        return board;
      } catch (error) {
        return boardWithoutAnswer(error, readKnown() === undefined && person !== undefined ? { person, venue } : null);
      }
    },
    staleTime: 0,
    // The merge keeps what did not change; comparing everything again would cost as much as drawing it.
    structuralSharing: false,
    // Asked without a connection too: the answer is the board that this device kept.
    networkMode: "always",
    refetchOnReconnect: true,
    // A reading that failed is repeated, because the stream announces a change once.
    refetchInterval: ({ state }) =>
      state.status === "error" || state.fetchFailureCount > 0 ? POLL_EVERY_MS : pollUnlessStreaming(POLL_EVERY_MS),
    refetchIntervalInBackground: true,
  });

/** A page that knows no board yet shows the kept one. A refusal means that the person may not see it any more. */
const boardWithoutAnswer = async (error: unknown, owner: BoardOwner | null): Promise<BoardState> => {
  const isAway = isServiceAway(error);
  if (owner && !isAway && !hasErrorCode(error, "rate_limited")) dropKeptBoard(owner);
  const kept = owner && isAway ? await findKeptBoard(owner) : null;
  if (kept === null) throw error;
  return kept;
};

const KEEP_EVERY_MS = 15_000;

/** While the stream is connected and announces no change, the board is right, so its copy is renewed. */
const renewKeptBoard = (client: QueryClient, venue: string): void => {
  const state = client.getQueryState<BoardState>(boardKey(venue));
  const person = client.getQueryData(sessionQuery.queryKey)?.person.id;
  if (person === undefined || state?.status !== "success" || !state.data || state.data.copiedAt !== undefined) return;
  keepBoard({ person, venue }, state.data, Math.max(Date.now() - readHeardAge(), state.dataUpdatedAt));
};

export const useBoard = (venue: string) => {
  const queryClient = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => renewKeptBoard(queryClient, venue), KEEP_EVERY_MS);
    return () => clearInterval(timer);
  }, [queryClient, venue]);
  return useQuery(boardQuery(venue));
};

/** Takes over the answer to a write, and reads again what else shows the order. */
export const applyWritten = (queryClient: QueryClient, venue: string, written: BoardOrder): void => {
  queryClient.setQueryData<BoardState>(boardKey(venue), (board) => board && mergeWritten(board, written));
  for (const name of ["order", "closed-orders", "takings"]) void queryClient.invalidateQueries({ queryKey: [name, venue] });
};

export const applyOrderType = (queryClient: QueryClient, venue: string, written: OrderTypeState): void =>
  void queryClient.setQueryData<BoardState>(boardKey(venue), (board) => board && mergeOrderType(board, written));

/** An empty branch is all branches. */
export const closedOrdersQuery = (venue: string, branch: string) =>
  queryOptions({
    queryKey: ["closed-orders", venue, branch],
    queryFn: async () => {
      const query = { is_closed: "true" as const, ...(branch === "" ? {} : { branch: Number(branch) }) };
      return (await call("findBoardOrders", { params: { venue }, query, waitMsMax: ANSWER_MS_MAX })).data;
    },
  });

export const foundOrdersQuery = (venue: string, search: string) =>
  queryOptions({
    queryKey: ["order", venue, "search", search],
    queryFn: async () => (await call("findBoardOrders", { params: { venue }, query: { search }, waitMsMax: ANSWER_MS_MAX })).data,
  });

export const orderDetailsQuery = (venue: string, order: string) =>
  queryOptions({
    queryKey: ["order", venue, "details", order],
    queryFn: async () => (await call("readOrderDetails", { params: { venue, order }, waitMsMax: ANSWER_MS_MAX })).data,
  });
