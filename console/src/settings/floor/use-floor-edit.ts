/** The draft of one branch. Until something is changed, it follows what the server has. */
import type { VenueFloor } from "@comanda/contract/console/floor.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { addTable, bodyOf, draftOf, type FloorDraft, isSameDraft, removeTable, restoreTable } from "./floor-draft.ts";
import { type FloorErrors, NO_FLOOR_ERRORS, readFloorErrors } from "./floor-errors.ts";
import { floorQuery } from "./floor-query.ts";

type FloorBranch = VenueFloor["branches"][number];
/** `version` and `saved` are of the state that the manager began to change. */
type FloorEdit = { version: string; saved: FloorDraft; draft: FloorDraft };

const useDraft = (floor: VenueFloor, branch: FloorBranch) => {
  const [edit, setEdit] = useState<FloorEdit | null>(null);
  const [chosenId, setChosenId] = useState<number | null>(null);
  const present = draftOf(floor, branch.id);
  const { version, saved, draft } = edit ?? { version: branch.version, saved: present, draft: present };
  const change = (next: FloorDraft): void => setEdit(isSameDraft(next, saved) ? null : { version, saved, draft: next });
  return {
    version,
    saved,
    draft,
    isChanged: edit !== null,
    chosen: draft.tables.find(({ id }) => id === chosenId) ?? null,
    choose: setChosenId,
    change,
    drop: (): void => setEdit(null),
    add: (): void => {
      const next = addTable(draft);
      change(next);
      setChosenId(next.tables.at(-1)?.id ?? null);
    },
    remove: (id: number): void => {
      change(removeTable(draft, id));
      setChosenId(null);
    },
  };
};

const findByName = ({ tables }: FloorDraft, name: string): number | null => tables.find((table) => table.name === name)?.id ?? null;

export const useFloorEdit = (venue: string, floor: VenueFloor, branch: FloorBranch) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const editing = useDraft(floor, branch);
  const { draft, saved, version, chosen } = editing;
  const [errors, setErrors] = useState<FloorErrors>(NO_FLOOR_ERRORS);
  const [lostTo, setLostTo] = useState<{ who: string | null } | null>(null);
  const discard = (): void => {
    editing.drop();
    setErrors(NO_FLOOR_ERRORS);
    setLostTo(null);
  };
  /** A table that cannot be removed comes back, with its error. */
  const showErrors = (error: Error): void => {
    const found = readFloorErrors(error, draft.tables);
    setErrors(found);
    const [firstWrong] = found.byTable.keys();
    if (found.removedIds.length > 0) editing.change(found.removedIds.reduce((known, id) => restoreTable(known, saved, id), draft));
    if (firstWrong !== undefined) editing.choose(firstWrong);
    if (!hasErrorCode(error, "validation_failed") || found.others.length > 0) toast.refusal(error);
  };
  const { write, isPending } = useWrite<"saveFloor">({
    onDone: ({ data: after }) => {
      queryClient.setQueryData(floorQuery(venue).queryKey, after);
      // A new table has another id now.
      editing.choose(chosen && findByName(draftOf(after, branch.id), chosen.name.trim()));
      discard();
      toast.done(t("floor.saved"));
    },
    onChanged: ({ changed_by }) => {
      setLostTo({ who: changed_by });
      return null;
    },
    onRefused: showErrors,
  });
  const saveDraft = (): void => {
    setErrors(NO_FLOOR_ERRORS);
    write({ id: "saveFloor", params: { venue }, body: bodyOf(draft, { id: branch.id, version }) });
  };
  return { ...editing, errors, lostTo, isPending, discard, save: saveDraft };
};
