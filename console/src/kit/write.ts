/**
 * The way to write from the console: one press has one effect. A write whose answer is lost is sent again with its key, three times by
 * itself and then at each further press, as long as the page or dialog is open. When another person was faster, one sentence says so, and
 * the page reads the present state.
 */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CallError, type CallReply, isUnanswered, isWorthRetrying, type KeyedCallId, type KeyedCallInput } from "./api.ts";
import { callWithKey } from "./keyed-call.ts";
import { useToast } from "./toast.ts";
import { createTries, type Try, type WriteContent } from "./write-tries.ts";

/** A call and what it sends. */
export type KeyedWrite<Id extends KeyedCallId> = { [I in Id]: { id: I } & KeyedCallInput<I> }[Id];

/** What the server says when the state is not the one that the page showed: the present one, and who changed it. */
export type Changed = Record<string, unknown> & { changed_by: string | null };

/** Null for any other error. */
export const readChanged = (error: unknown): Changed | null =>
  error instanceof CallError && error.code === "state_changed" ? (error.details as Changed) : null;

export type WriteOptions<Id extends KeyedCallId> = {
  onDone?: (answer: CallReply<Id>, wanted: KeyedWrite<Id>) => void;
  /** Closes the dialog that wrote, unless it is closed already: a late answer closes nothing that was opened since. */
  onClose?: () => void;
  /** Takes over the present state. What it returns is said instead of the usual sentence; null: the page says it itself. */
  onChanged?: (changed: Changed, wanted: KeyedWrite<Id>) => string | null | undefined;
  /** Every other error. Without it, a toast says why. */
  onRefused?: (error: Error, wanted: KeyedWrite<Id>) => void;
  /** The first parts of the keys of queries that are read again after an answer, and after a refusal. */
  readAgain?: readonly (readonly unknown[])[];
  /** After this time a call counts as unanswered. */
  waitMsMax?: number;
};

/** Says why a write was refused, as far as the page does not say it itself. */
const useRefusal = <Id extends KeyedCallId>({ onChanged, onRefused }: WriteOptions<Id>) => {
  const { t } = useTranslation();
  const toast = useToast();
  return (refused: Error, wanted: KeyedWrite<Id>): void => {
    const changed = readChanged(refused);
    if (changed === null) {
      (onRefused ?? toast.refusal)(refused, wanted);
      return;
    }
    const who = changed.changed_by;
    const said = onChanged?.(changed, wanted);
    if (said !== null) toast.note(said ?? (who === null ? t("writes.fasterUnknown") : t("writes.faster", { who })));
  };
};

const wantedOf = <Id extends KeyedCallId>({ content }: Try): KeyedWrite<Id> => content as object as KeyedWrite<Id>;

export const useWrite = <Id extends KeyedCallId>(options: WriteOptions<Id>) => {
  const { onDone, onClose, readAgain = [], waitMsMax } = options;
  const queryClient = useQueryClient();
  const refuse = useRefusal(options);
  const [tries] = useState(createTries);
  const refresh = (): void => {
    for (const queryKey of readAgain) void queryClient.invalidateQueries({ queryKey });
  };
  const begin = (wanted: KeyedWrite<Id>): Try => tries.begin(wanted as object as WriteContent);
  const { mutate, mutateAsync, isPending, error, reset, variables } = useMutation<CallReply<Id>, Error, Try>({
    mutationFn: ({ content: { id, ...input }, idempotencyKey }) =>
      callWithKey(id as Id, { ...input, idempotencyKey, ...(waitMsMax && { waitMsMax }) }),
    networkMode: "always",
    retry: isWorthRetrying,
    // It holds the key, what was typed, and the answer: none of them outlives its page.
    gcTime: 0,
    onSuccess: (answer, begun) => {
      tries.end(begun.content);
      refresh();
      onDone?.(answer, wantedOf(begun));
    },
    onError: (refused, begun) => {
      if (isUnanswered(refused)) tries.wait(begun.content);
      else {
        tries.end(begun.content);
        refresh();
      }
      refuse(refused, wantedOf(begun));
    },
  });
  return {
    /** `onAnswer` is not called when the component is no longer there. */
    write: (wanted: KeyedWrite<Id>, onAnswer?: (answer: CallReply<Id>) => void): void =>
      mutate(begin(wanted), {
        onSuccess: (answer) => {
          onAnswer?.(answer);
          onClose?.();
          reset();
        },
      }),
    /** Null when it was refused. */
    writeAndWait: (wanted: KeyedWrite<Id>): Promise<CallReply<Id> | null> =>
      mutateAsync(begin(wanted), { onSuccess: reset }).catch(() => null),
    isPending,
    /** What is being written, or was refused last. */
    wanted: variables && wantedOf<Id>(variables),
    error,
    reset,
  };
};
