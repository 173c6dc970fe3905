/** Closing and opening single days of a branch. Each write is stored at once and can be taken back. */
import type { BranchDay } from "@comanda/contract/console/venue-settings.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, isWorthRetrying } from "../../api.ts";
import { useToast } from "../../ui/toast.ts";
import { putBranches, readPartsChanged } from "../venue-settings/save-branches.ts";

/** `reason` is kept, so that a day that was opened by mistake is closed again as it was. */
export type DayChange = { branch_id: number; date: string; reason: string | null; isClosing: boolean };
type DayWrite = DayChange & { idempotencyKey: string; isUndo: boolean };
/** The last change, until the next one or until it is taken back. */
export type DoneDay = DayChange & { bookings: number };

const write = async (venue: string, { branch_id, date, reason, isClosing, idempotencyKey }: DayWrite): Promise<BranchDay> => {
  const shared = { params: { venue }, idempotencyKey };
  const answer = isClosing
    ? await call("closeBranchOn", { ...shared, body: { branch_id, date, reason } })
    : await call("openBranchOn", { ...shared, body: { branch_id, date } });
  return answer.data;
};

export const useClosingDays = (venue: string) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [done, setDone] = useState<DoneDay | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (input: DayWrite) => write(venue, input),
    retry: isWorthRetrying,
    onSuccess: ({ branches, bookings }, { isUndo, branch_id, date, reason, isClosing }) => {
      putBranches(queryClient, venue, branches);
      setDone(isUndo ? null : { branch_id, date, reason, isClosing, bookings });
    },
    onError: (error) => {
      const lost = readPartsChanged(error);
      if (!lost?.branches) return toast.refusal(error);
      putBranches(queryClient, venue, lost.branches);
      toast.note(lost.changed_by === null ? t("closingDays.fasterUnknown") : t("closingDays.faster", { who: lost.changed_by }));
    },
  });
  const send = (change: DayChange, isUndo: boolean): void => mutate({ ...change, isUndo, idempotencyKey: crypto.randomUUID() });
  return {
    done,
    isPending,
    change: (change: DayChange): void => send(change, false),
    undo: (): void => {
      if (done) send({ ...done, isClosing: !done.isClosing }, true);
    },
  };
};
