/** The data of the pages of experiences. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#kit/api.ts";

export const deskQuery = (venue: string, from: string | null) =>
  queryOptions({
    queryKey: ["experiences", venue, from],
    queryFn: async () => (await call("readExperiences", { params: { venue }, query: from === null ? {} : { from } })).data,
    placeholderData: keepPreviousData,
  });

export const experienceQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["experience", venue, id],
    queryFn: async () => (await call("readExperience", { params: { venue, id } })).data,
    // The dialog edits what it opened with: the server refuses it after a save of another person.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const sheetQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["experience-session", venue, id],
    queryFn: async () => (await call("readExperienceSession", { params: { venue, id } })).data,
  });

/** What a write of experiences may change. */
export const experienceKeys = (venue: string): string[][] =>
  ["experiences", "experience", "experience-session"].map((name) => [name, venue]);
