/** Tables: where they stand, how many sit there, which can be joined. */
import "./floor.css";
import type { VenueFloor } from "@comanda/contract/console/floor.ts";
import { Button, Group, NativeSelect, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { PlusIcon, PrintIcon, TableIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { ChangedMeanwhile, SaveBar } from "#kit/unsaved.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { changeTable, moveTable } from "./floor-draft.ts";
import { floorQuery } from "./floor-query.ts";
import { Plan } from "./plan.tsx";
import { TableForm } from "./table-form.tsx";
import { enFloor } from "./texts.en.ts";
import { useFloorEdit } from "./use-floor-edit.ts";

addEnglishTexts(enFloor);

export const FloorPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("floor.title")} lead="venues.settingsOnly">
      <FloorOfVenue />
    </RoleGuard>
  );
};

const FloorOfVenue = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const floor = useQuery(floorQuery(venue));
  const [branchId, setBranchId] = useState<number | null>(null);
  const branch = floor.data?.branches.find(({ id }) => id === branchId) ?? floor.data?.branches[0];
  const codes = (
    <Button
      variant="default"
      size="md"
      leftSection={<PrintIcon size={18} />}
      renderRoot={(props) => <Link to="/v/$venue/floor/qr-codes" params={{ venue }} {...props} />}
    >
      {t("floor.printCodes")}
    </Button>
  );
  return (
    <Page title={t("floor.title")} name={t("floor.title")} lead={t("floor.lead")} action={codes}>
      {floor.isPending && <Skeleton height={420} radius="lg" role="status" aria-label={t("common.loading")} />}
      {floor.error && !floor.data && <ErrorAlert error={floor.error} onRetry={() => void floor.refetch()} />}
      {floor.data && branch && <BranchFloor key={branch.id} venue={venue} floor={floor.data} branch={branch} onBranch={setBranchId} />}
    </Page>
  );
};

type BranchFloorProps = { venue: string; floor: VenueFloor; branch: VenueFloor["branches"][number]; onBranch: (id: number) => void };

const BranchFloor = ({ venue, floor, branch, onBranch }: BranchFloorProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const edit = useFloorEdit(venue, floor, branch);
  const { draft, chosen, errors } = edit;
  const add = (
    <Button size="md" leftSection={<PlusIcon size={18} />} onClick={edit.add}>
      {t("floor.add")}
    </Button>
  );
  return (
    <>
      <Group align="end" className="floor-head">
        {floor.branches.length > 1 && (
          <NativeSelect
            size="md"
            label={t("floor.branch")}
            value={String(branch.id)}
            disabled={edit.isChanged}
            data={floor.branches.map(({ id, name }) => ({ value: String(id), label: pick(name) }))}
            onChange={({ currentTarget: { value } }) => onBranch(Number(value))}
          />
        )}
        {draft.tables.length > 0 && add}
      </Group>
      {edit.lostTo && <ChangedMeanwhile who={edit.lostTo.who} onShow={edit.showPresent} />}
      {draft.tables.length === 0 && (
        <EmptyState icon={<TableIcon size={28} />} title={t("floor.emptyTitle")}>
          <Text c="dimmed" maw={520}>
            {t("floor.emptyLead")}
          </Text>
          {add}
        </EmptyState>
      )}
      {draft.tables.length > 0 && (
        <div className="floor-editor" inert={edit.isPending}>
          <Plan
            name={pick(branch.name)}
            tables={draft.tables}
            chosenId={chosen?.id ?? null}
            wrongIds={new Set(errors.byTable.keys())}
            onChoose={edit.choose}
            onMove={(id, place) => edit.change(moveTable(draft, id, place))}
          />
          {chosen ? (
            <TableForm
              draft={draft}
              table={chosen}
              errors={errors.byTable.get(chosen.id) ?? []}
              onChange={(change) => edit.change(changeTable(draft, chosen.id, change))}
              onDraft={edit.change}
              onRemove={() => edit.remove(chosen.id)}
            />
          ) : (
            <Text className="sheet floor-form" c="dimmed">
              {t("floor.choose")}
            </Text>
          )}
        </div>
      )}
      <SaveBar
        isChanged={edit.isChanged}
        isPending={edit.isPending}
        isBlocked={draft.tables.some(({ name }) => name.trim() === "")}
        onSave={edit.save}
        onDiscard={edit.discard}
      />
    </>
  );
};
