/** The data of the stock pages. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

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
    // The dialog edits what it opened with: the server refuses it after a save of another person.
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

/** What a write of the stock may change. */
export const stockKeys = (venue: string): string[][] =>
  ["stock", "stock-entries", "ingredient", "recipes", "recipe"].map((name) => [name, venue]);
