/** Opening hours of a branch: the week to paint on, the same as fields, and the days on which it stays closed. */
import "./hours.css";
import type { VenueBranch, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import { Alert, Button, Group, NativeSelect, Skeleton, Stack, Switch, Text, Title } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { UndoIcon, WarningIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { ChangedMeanwhile, SaveBar } from "#kit/unsaved.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { venueSettingsQuery } from "../venue-settings/venue-settings-query.ts";
import { ClosingDays } from "./closing-days.tsx";
import { DayFields } from "./day-fields.tsx";
import { enHours } from "./texts.en.ts";
import { type HoursEditing, useHoursEdit } from "./use-hours-edit.ts";
import { WeekPainter } from "./week-painter.tsx";
import { PERIODS_MAX, weekOfHours } from "./week-rules.ts";
import { weekOrder } from "./week-start.ts";

addEnglishTexts(enHours);

export const HoursPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("openingHours.title")} lead="venues.settingsOnly">
      <HoursOfVenue />
    </RoleGuard>
  );
};

const HoursOfVenue = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const settings = useQuery(venueSettingsQuery(venue));
  const [branchId, setBranchId] = useState<number | null>(null);
  const branches = settings.data?.branches.value ?? [];
  const branch = branches.find(({ id }) => id === branchId) ?? branches.find(({ is_default }) => is_default) ?? branches[0];
  return (
    <Page title={t("openingHours.title")} name={t("openingHours.title")} lead={t("openingHours.lead")}>
      {settings.isPending && <Skeleton height={480} radius="lg" role="status" aria-label={t("common.loading")} />}
      {settings.error && !settings.data && <ErrorAlert error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && branch && (
        <HoursOfBranch key={branch.id} venue={venue} settings={settings.data} branch={branch} onBranch={setBranchId} />
      )}
    </Page>
  );
};

type HoursOfBranchProps = { venue: string; settings: VenueSettingParts; branch: VenueBranch; onBranch: (id: number) => void };

const HoursOfBranch = ({ venue, settings, branch, onBranch }: HoursOfBranchProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const edit = useHoursEdit(venue, settings.branches, branch);
  const { value: branches } = settings.branches;
  const { zone } = settings.restaurant.value;
  return (
    <>
      {branches.length > 1 && (
        <NativeSelect
          size="md"
          className="hours-branch"
          label={t("openingHours.branch")}
          description={edit.isChanged ? t("openingHours.branchLocked") : undefined}
          value={String(branch.id)}
          disabled={edit.isChanged}
          data={branches.map(({ id, name }) => ({ value: String(id), label: pick(name) }))}
          onChange={({ currentTarget: { value } }) => onBranch(Number(value))}
        />
      )}
      {edit.lostTo && <ChangedMeanwhile who={edit.lostTo.who} onShow={edit.discard} />}
      {edit.error && <ErrorAlert error={edit.error} />}
      <ClosingDays venue={venue} zone={zone} branch={branch} />
      <div inert={edit.isPending}>
        <WeeklyHours edit={edit} zone={zone} />
      </div>
      <SaveBar
        isChanged={edit.isChanged}
        isPending={edit.isPending}
        isBlocked={edit.isTooMany}
        onSave={edit.save}
        onDiscard={edit.discard}
      />
    </>
  );
};

/** What a manager begins with who takes a branch from "always open" to weekly hours. */
const FIRST_WEEK = weekOfHours([{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "12:00", to: "22:00" }]);

const WeeklyHours = ({ edit, zone }: { edit: HoursEditing; zone: string }) => {
  const { t, i18n } = useTranslation();
  const { week, rows, row, change, undo, canUndo } = edit;
  const order = weekOrder(i18n.language, navigator.languages);
  useHotkeys([["mod+Z", undo]]);
  return (
    <section className="sheet hours-section" aria-labelledby="weekly-hours">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} className="grow">
          <Title order={2} className="item-title" id="weekly-hours">
            {t("openingHours.week")}
          </Title>
          <Text c="dimmed" size="sm">
            {t("openingHours.clock", { zone: zone.replaceAll("_", " ") })}
          </Text>
        </Stack>
        <Button variant="default" size="md" leftSection={<UndoIcon />} disabled={!canUndo} onClick={undo}>
          {t("openingHours.undo")}
        </Button>
      </Group>
      <Switch
        size="lg"
        label={t("openingHours.always")}
        description={t("openingHours.alwaysHint")}
        checked={week === null}
        onChange={({ currentTarget: { checked } }) => change(checked ? null : FIRST_WEEK)}
      />
      {week?.every((spans) => spans.length === 0) && (
        <Alert color="orange" icon={<WarningIcon />} role="status">
          {t("openingHours.never")}
        </Alert>
      )}
      {edit.isTooMany && (
        <Alert color="red" icon={<WarningIcon />} role="alert">
          {t("openingHours.tooMany", { count: PERIODS_MAX })}
        </Alert>
      )}
      {week && rows && (
        <>
          <WeekPainter week={week} order={order} onPaint={change} />
          <DayFields week={rows} order={order} row={row} onChange={change} onEditRow={edit.editRow} onLeaveRow={edit.leaveRow} />
        </>
      )}
    </section>
  );
};
