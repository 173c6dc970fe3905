/** One part of the settings while it is changed, and the write that saves it. */
import { useQueryClient } from "@tanstack/react-query";
import { type StoredVersion, useDraft, useDraftWrite } from "#kit/draft.ts";
import { fieldErrors } from "#kit/error-text.ts";
import type { KeyedWrite } from "#kit/write.ts";
import { venueSettingsQuery } from "./venue-settings-query.ts";

type PartEditInput<T> = {
  venue: string;
  part: "ordering" | "charges";
  present: StoredVersion<T>;
  writeOf: (seen_version: string, value: T) => KeyedWrite<"saveOrdering" | "saveCharges">;
  onSaved: () => void;
};

/** Errors by the path of the field within the part; those of removed things begin with `removed.`. */
export type PartErrors = Readonly<Record<string, string>>;

export const usePartEdit = <T extends object>({ venue, part, present, writeOf, onSaved }: PartEditInput<T>) => {
  const queryClient = useQueryClient();
  const { queryKey } = venueSettingsQuery(venue);
  const { version, value, isChanged, change, drop } = useDraft(present);
  const { write, ...saving } = useDraftWrite<"saveOrdering" | "saveCharges">({
    queryKey,
    drop,
    onDone: ({ data }) => {
      queryClient.setQueryData(queryKey, (parts) => parts && { ...parts, [part]: data });
      onSaved();
    },
  });
  const errors: PartErrors = Object.fromEntries(
    Object.entries(fieldErrors(saving.error)).map(([path, sentence]) => [path.replace(`${part}.`, ""), sentence]),
  );
  return {
    ...saving,
    value,
    isChanged,
    errors,
    change: (some: Partial<T>): void => change({ ...value, ...some }),
    save: (): void => write(writeOf(version, value)),
  };
};
