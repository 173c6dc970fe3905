/** Closing and opening single days of a branch. Each write is stored at once and can be taken back. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useWrite } from "#kit/write.ts";
import { type BranchesPart, putBranches } from "../venue-settings/save-branches.ts";

/** `reason` is kept, so that a day that was opened by mistake is closed again as it was. */
export type DayChange = { branch_id: number; date: string; reason: string | null; isClosing: boolean };
/** The last change, until the next one or until it is taken back. */
export type DoneDay = DayChange & { bookings: number };

export const useClosingDays = (venue: string) => {
  const queryClient = useQueryClient();
  const [done, setDone] = useState<DoneDay | null>(null);
  const { write, isPending } = useWrite<"closeBranchOn" | "openBranchOn">({
    onDone: ({ data }) => putBranches(queryClient, venue, data.branches),
    onChanged: ({ branches }) => {
      putBranches(queryClient, venue, branches as BranchesPart);
    },
  });
  const send = ({ branch_id, date, reason, isClosing }: DayChange, isUndo: boolean): void =>
    write(
      isClosing
        ? { id: "closeBranchOn", params: { venue }, body: { branch_id, date, reason } }
        : { id: "openBranchOn", params: { venue }, body: { branch_id, date } },
      ({ data: { bookings } }) => setDone(isUndo ? null : { branch_id, date, reason, isClosing, bookings }),
    );
  return {
    done,
    isPending,
    change: (change: DayChange): void => send(change, false),
    undo: (): void => {
      if (done) send({ ...done, isClosing: !done.isClosing }, true);
    },
  };
};
