/** The data of the pages of shifts. A refused write reads the present state again and says who was faster. */
import { SHIFT_MAILS_A_DAY_MAX } from "@comanda/contract/console/shift-limits.ts";
import type { PublicationLimit } from "@comanda/contract/console/shifts.ts";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError, call, isWorthRetrying } from "../api.ts";
import { formatDateTime } from "../ui/relative-time.tsx";
import { useToast } from "../ui/toast.ts";

/** A branch of null is the default one, and a week of null the present one. */
export type ChosenWeek = { branch: number | null; week: string | null };

export const shiftWeekQuery = (venue: string, { branch, week }: ChosenWeek) =>
  queryOptions({
    queryKey: ["shift-week", venue, branch, week],
    queryFn: async () =>
      (
        await call("readShiftWeek", {
          params: { venue },
          query: { ...(branch === null ? {} : { branch }), ...(week === null ? {} : { week_start: week }) },
        })
      ).data,
    placeholderData: keepPreviousData,
  });

export const ownShiftsQuery = (venue: string) =>
  queryOptions({
    queryKey: ["own-shifts", venue],
    queryFn: async () => (await call("readOwnShifts", { params: { venue } })).data,
  });

/** Says why the week cannot be published now, and from when on it can. Null for any other error. */
const usePublicationLimit = () => {
  const { t } = useTranslation();
  return (error: unknown): string | null => {
    if (!(error instanceof CallError) || error.code !== "rate_limited") return null;
    const { names, until } = error.details as Partial<PublicationLimit>;
    if (!names || !until) return null;
    return t("shifts.mailLimit", { names: names.join(", "), max: SHIFT_MAILS_A_DAY_MAX, at: formatDateTime(until) });
  };
};

/** One tap is one write: its key is made with the tap, and a lost answer repeats it. */
export const useShiftWrite = <Body, Answer>(
  venue: string,
  send: (write: { key: string; body: Body }) => Promise<Answer>,
  onDone: (answer: Answer, body: Body) => void,
) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const limitOf = usePublicationLimit();
  const refresh = async (): Promise<void> => {
    await Promise.all(["shift-week", "own-shifts"].map((name) => queryClient.invalidateQueries({ queryKey: [name, venue] })));
  };
  const { mutate, ...mutation } = useMutation({
    mutationFn: send,
    networkMode: "always",
    retry: (count, error) => limitOf(error) === null && isWorthRetrying(count, error),
    onSuccess: async (answer, { body }) => {
      await refresh();
      onDone(answer, body);
    },
    onError: (error) => {
      const limit = limitOf(error);
      if (limit !== null) return toast.note(limit);
      if (!(error instanceof CallError) || error.code !== "state_changed") return toast.refusal(error);
      const { changed_by: who } = error.details as { changed_by: string | null };
      void refresh();
      return toast.note(who === null ? t("shifts.fasterUnknown") : t("shifts.faster", { who }));
    },
  });
  return { ...mutation, write: (body: Body): void => mutate({ key: crypto.randomUUID(), body }) };
};
