/** The data of the stock pages. A refused write reads the present state again and says who was faster. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError, call, isWorthRetrying } from "../api.ts";
import { useToast } from "../ui/toast.ts";

export const stockQuery = (venue: string, branch: number | null) =>
  queryOptions({
    queryKey: ["stock", venue, branch],
    queryFn: async () => (await call("readStock", { params: { venue }, query: branch === null ? {} : { branch } })).data,
    placeholderData: keepPreviousData,
  });

export const ingredientQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["ingredient", venue, id],
    queryFn: async () => (await call("readIngredient", { params: { venue, id } })).data,
    // The dialog edits what it opened with: a save of another person is told by the server.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const stockEntriesQuery = (venue: string, id: number, branch: number | null) =>
  queryOptions({
    queryKey: ["stock-entries", venue, id, branch],
    queryFn: async () => (await call("readStockEntries", { params: { venue, id }, query: branch === null ? {} : { branch } })).data,
  });

export const recipesQuery = (venue: string) =>
  queryOptions({
    queryKey: ["recipes", venue],
    queryFn: async () => (await call("readRecipes", { params: { venue } })).data,
  });

export const recipeQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["recipe", venue, id],
    queryFn: async () => (await call("readRecipe", { params: { venue, id } })).data,
  });

const NAMES = ["stock", "stock-entries", "ingredient", "recipes", "recipe"];

/** One tap is one write: its key is made with the tap, and a lost answer repeats it. */
export const useStockWrite = <Body, Answer>(
  venue: string,
  send: (write: { key: string; body: Body }) => Promise<Answer>,
  onDone: (answer: Answer, body: Body) => void,
) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const refresh = async (): Promise<void> => {
    await Promise.all(NAMES.map((name) => queryClient.invalidateQueries({ queryKey: [name, venue] })));
  };
  const { mutate, ...mutation } = useMutation({
    mutationFn: send,
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: (answer, { body }) => {
      onDone(answer, body);
      void refresh();
    },
    onError: (error) => {
      if (!(error instanceof CallError) || error.code !== "state_changed") return toast.refusal(error);
      const { changed_by: who } = error.details as { changed_by: string | null };
      void refresh();
      return toast.note(who === null ? t("stock.fasterUnknown") : t("stock.faster", { who }));
    },
  });
  return { ...mutation, write: (body: Body): void => mutate({ key: crypto.randomUUID(), body }) };
};
