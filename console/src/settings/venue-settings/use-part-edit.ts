/** One part of the settings while it is changed, and the write that saves it. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { fieldErrors } from "#kit/error-text.ts";
import { type KeyedWrite, readChanged, useWrite } from "#kit/write.ts";
import { venueSettingsQuery } from "./venue-settings-query.ts";

/** `version` and `saved` are of the state that the manager began to change. */
type PartEdit<T> = { version: string; saved: T; value: T };
type StoredPart<T> = { version: string; value: T };

type PartEditInput<T> = {
  venue: string;
  part: "ordering" | "charges";
  present: StoredPart<T>;
  writeOf: (seen_version: string, value: T) => KeyedWrite<"saveOrdering" | "saveCharges">;
  onSaved: () => void;
};

/** Errors by the path of the field within the part; those of removed things begin with `removed.`. */
export type PartErrors = Readonly<Record<string, string>>;

export const usePartEdit = <T extends object>({ venue, part, present, writeOf, onSaved }: PartEditInput<T>) => {
  const queryClient = useQueryClient();
  const { queryKey } = venueSettingsQuery(venue);
  const [edit, setEdit] = useState<PartEdit<T> | null>(null);
  const { version, saved, value } = edit ?? { version: present.version, saved: present.value, value: present.value };
  const { write, isPending, error, reset } = useWrite<"saveOrdering" | "saveCharges">({
    onDone: ({ data }) => {
      queryClient.setQueryData(queryKey, (parts) => parts && { ...parts, [part]: data });
      setEdit(null);
      onSaved();
    },
    // The page says it itself.
    onChanged: () => null,
    onRefused: () => undefined,
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
  const save = (): void => write(writeOf(version, value));
  const lost = readChanged(error);
  return {
    value,
    isChanged: edit !== null,
    change,
    discard,
    showPresent,
    save,
    isPending,
    error,
    errors,
    lost: lost && { who: lost.changed_by },
  };
};
