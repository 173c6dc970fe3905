/** The data of the pages of experiences. A refused write reads the present state again and says who was faster. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError, call, isWorthRetrying } from "../api.ts";
import { useToast } from "../ui/toast.ts";

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
    // The dialog edits what it opened with: a save of another person is told by the server.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const sheetQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["experience-session", venue, id],
    queryFn: async () => (await call("readExperienceSession", { params: { venue, id } })).data,
  });

const NAMES = ["experiences", "experience", "experience-session"];

/** One tap is one write: its key is made with the tap, and a lost answer repeats it. */
export const useExperienceWrite = <Body, Answer>(
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
      void refresh();
      if (!(error instanceof CallError) || error.code !== "state_changed") return toast.refusal(error);
      const { changed_by: who } = error.details as { changed_by: string | null };
      return toast.note(who === null ? t("experiences.fasterUnknown") : t("experiences.faster", { who }));
    },
  });
  return { ...mutation, write: (body: Body): void => mutate({ key: crypto.randomUUID(), body }) };
};
