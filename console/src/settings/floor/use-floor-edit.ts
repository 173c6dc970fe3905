/** The draft of one branch. Until something is changed, it follows what the server has. */
import type { VenueFloor } from "@comanda/contract/console/floor.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { useDraft, useDraftWrite } from "#kit/draft.ts";
import { useToast } from "#kit/toast.ts";
import { addTable, bodyOf, draftOf, type FloorDraft, isSameDraft, removeTable, restoreTable } from "./floor-draft.ts";
import { type FloorErrors, NO_FLOOR_ERRORS, readFloorErrors } from "./floor-errors.ts";
import { floorQuery } from "./floor-query.ts";

type FloorBranch = VenueFloor["branches"][number];
const useFloorDraft = (floor: VenueFloor, branch: FloorBranch) => {
  const [chosenId, setChosenId] = useState<number | null>(null);
  const { value: draft, change, ...begun } = useDraft({ version: branch.version, value: draftOf(floor, branch.id) }, isSameDraft);
  return {
    ...begun,
    draft,
    chosen: draft.tables.find(({ id }) => id === chosenId) ?? null,
    choose: setChosenId,
    change,
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
  const editing = useFloorDraft(floor, branch);
  const { draft, begun, version, chosen } = editing;
  const [errors, setErrors] = useState<FloorErrors>(NO_FLOOR_ERRORS);
  /** A table that cannot be removed comes back, with its error. */
  const showErrors = (error: Error): void => {
    const found = readFloorErrors(error, draft.tables);
    setErrors(found);
    const [firstWrong] = found.byTable.keys();
    if (found.removedIds.length > 0) editing.change(found.removedIds.reduce((known, id) => restoreTable(known, begun, id), draft));
    if (firstWrong !== undefined) editing.choose(firstWrong);
    if (!hasErrorCode(error, "validation_failed") || found.others.length > 0) toast.refusal(error);
  };
  const { queryKey } = floorQuery(venue);
  const { write, isPending, lostTo, discard, showPresent } = useDraftWrite<"saveFloor">({
    queryKey,
    drop: () => {
      editing.drop();
      setErrors(NO_FLOOR_ERRORS);
    },
    onDone: ({ data: after }) => {
      queryClient.setQueryData(queryKey, after);
      // A new table has another id now.
      editing.choose(chosen && findByName(draftOf(after, branch.id), chosen.name.trim()));
      toast.done(t("floor.saved"));
    },
    onRefused: showErrors,
  });
  const saveDraft = (): void => {
    setErrors(NO_FLOOR_ERRORS);
    write({ id: "saveFloor", params: { venue }, body: bodyOf(draft, { id: branch.id, version }) });
  };
  return { ...editing, errors, lostTo, isPending, discard, showPresent, save: saveDraft };
};
