/**
 * What a person changes before it is saved: begun, edited, saved, or changed by another meanwhile. Until something is changed, a page shows what
 * is stored. From then on the draft keeps the version that it began with, and the save names that one, so the server refuses it when
 * another person has saved since.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CallReply, KeyedCallId } from "./api.ts";
import { type KeyedWrite, readChanged, useWrite } from "./write.ts";

export type StoredVersion<T> = { version: string; value: T };
/** `version` and `begun` are of the state that the person began to change. */
export type Draft<T> = { version: string; begun: T; value: T };

/** Who was faster. */
export type LostRace = { who: string | null };

const isSameText = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const shownDraft = <T>(draft: Draft<T> | null, { version, value }: StoredVersion<T>): Draft<T> =>
  draft ?? { version, begun: value, value };

/** Null as soon as everything is again as it was in the beginning. */
export const changedDraft = <T>({ version, begun }: Draft<T>, value: T, isSame: (one: T, other: T) => boolean = isSameText) =>
  isSame(value, begun) ? null : { version, begun, value };

export const useDraft = <T>(stored: StoredVersion<T>, isSame?: (one: T, other: T) => boolean) => {
  const [draft, setDraft] = useState<Draft<T> | null>(null);
  const shown = shownDraft(draft, stored);
  return {
    ...shown,
    isChanged: draft !== null,
    change: (value: T): void => setDraft(changedDraft(shown, value, isSame)),
    drop: (): void => setDraft(null),
  };
};

type DraftWrite<Id extends KeyedCallId> = {
  /** What the page reads again when another person was faster. */
  queryKey: readonly unknown[];
  drop: () => void;
  onDone: (answer: CallReply<Id>, wanted: KeyedWrite<Id>) => void;
  onRefused?: (error: Error) => void;
  readAgain?: readonly (readonly unknown[])[];
};

/** The write that saves a draft. The page itself says who was faster, and what is wrong. */
export const useDraftWrite = <Id extends KeyedCallId>({ queryKey, drop, onDone, onRefused, readAgain = [] }: DraftWrite<Id>) => {
  const queryClient = useQueryClient();
  const { write, isPending, error, reset } = useWrite<Id>({
    readAgain,
    onDone: (answer, wanted) => {
      drop();
      onDone(answer, wanted);
    },
    onChanged: () => null,
    onRefused: onRefused ?? (() => undefined),
  });
  const lost = readChanged(error);
  const lostTo: LostRace | null = lost && { who: lost.changed_by };
  const discard = (): void => {
    drop();
    reset();
  };
  return {
    write,
    isPending,
    error: lost ? null : error,
    lostTo,
    reset,
    discard,
    showPresent: (): void => {
      discard();
      void queryClient.invalidateQueries({ queryKey });
    },
  };
};
