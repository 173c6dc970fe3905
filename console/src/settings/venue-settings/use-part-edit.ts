/** One part of the settings while it is changed, and the write that saves it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CallError, isWorthRetrying } from "../../api.ts";
import { fieldErrors } from "../../ui/error-text.ts";
import { venueSettingsQuery } from "./venue-settings-query.ts";

/** `version` and `saved` are of the state that the manager began to change. */
type PartEdit<T> = { version: string; saved: T; value: T };
type StoredPart<T> = { version: string; value: T };
type SeenPart<T> = { seen_version: string; value: T; idempotencyKey: string };

type PartEditInput<T> = {
  venue: string;
  part: "ordering" | "charges";
  present: StoredPart<T>;
  write: (seen: SeenPart<T>) => Promise<{ data: StoredPart<T> }>;
  onSaved: () => void;
};

/** Errors by the path of the field within the part; those of removed things begin with `removed.`. */
export type PartErrors = Readonly<Record<string, string>>;

const changedBy = (error: unknown): { who: string | null } | null =>
  error instanceof CallError && error.code === "state_changed" ? { who: (error.details.changed_by as string | null) ?? null } : null;

export const usePartEdit = <T extends object>({ venue, part, present, write, onSaved }: PartEditInput<T>) => {
  const queryClient = useQueryClient();
  const { queryKey } = venueSettingsQuery(venue);
  const [edit, setEdit] = useState<PartEdit<T> | null>(null);
  const { version, saved, value } = edit ?? { version: present.version, saved: present.value, value: present.value };
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: write,
    retry: isWorthRetrying,
    onSuccess: ({ data }) => {
      queryClient.setQueryData(queryKey, (parts) => parts && { ...parts, [part]: data });
      setEdit(null);
      onSaved();
    },
  });
  const change = (some: Partial<T>): void => {
    const next = { ...value, ...some };
    setEdit(JSON.stringify(next) === JSON.stringify(saved) ? null : { version, saved, value: next });
  };
  const discard = (): void => {
    setEdit(null);
    reset();
  };
  const showPresent = (): void => {
    discard();
    void queryClient.invalidateQueries({ queryKey });
  };
  const errors: PartErrors = Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([path, sentence]) => [path.replace(`${part}.`, ""), sentence]),
  );
  const save = (): void => mutate({ seen_version: version, value, idempotencyKey: crypto.randomUUID() });
  return { value, isChanged: edit !== null, change, discard, showPresent, save, isPending, error, errors, lost: changedBy(error) };
};
