/** The data of the gift card pages. A refused write puts the present card into the page and says who was faster. */
import type { GiftCardState } from "@comanda/contract/console/gift-cards.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError, call, isWorthRetrying } from "../api.ts";
import { useToast } from "../ui/toast.ts";

const ROWS = 25;

export const deskQuery = (venue: string) =>
  queryOptions({
    queryKey: ["gift-card-desk", venue],
    queryFn: async () => (await call("readGiftCardDesk", { params: { venue } })).data,
  });

/** All cards, those that a search finds, or those of a guest. */
export const cardsQuery = (venue: string, filter: { search?: string; guest?: number }) =>
  infiniteQueryOptions({
    queryKey: ["gift-cards", venue, filter],
    queryFn: ({ pageParam }) =>
      call("findGiftCards", {
        params: { venue },
        query: { rows: ROWS, ...filter, ...(pageParam === null ? {} : { before: pageParam }) },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

export const cardQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["gift-card", venue, id],
    queryFn: async () => (await call("readGiftCard", { params: { venue, id } })).data,
  });

type CardWrite<Body> = { key: string; body: Body };

/** One tap is one write: its key is made with the tap, and a lost answer repeats it. The page reads the card again. */
export const useCardWrite = <Body>(
  venue: string,
  send: (write: CardWrite<Body>) => Promise<{ data: GiftCardState }>,
  onDone: (card: GiftCardState, body: Body) => void,
) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const refresh = async (): Promise<void> => {
    await Promise.all(["gift-card", "gift-cards"].map((name) => queryClient.invalidateQueries({ queryKey: [name, venue] })));
  };
  const { mutate, ...mutation } = useMutation({
    mutationFn: send,
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: ({ data }, { body }) => {
      onDone(data, body);
      void refresh();
    },
    onError: (error) => {
      if (!(error instanceof CallError) || error.code !== "state_changed") return toast.refusal(error);
      const { changed_by: who } = error.details as { changed_by: string | null };
      void refresh();
      return toast.note(who === null ? t("giftCards.fasterUnknown") : t("giftCards.faster", { who }));
    },
  });
  return { ...mutation, write: (body: Body): void => mutate({ key: crypto.randomUUID(), body }) };
};
