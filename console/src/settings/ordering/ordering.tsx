/** Ordering: which orders the venue takes, how long they need, and where it delivers. */

import type { VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import { minor } from "@comanda/contract/minor.ts";
import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { addEnglishTexts } from "#kit/language.ts";
import { NumberField } from "#kit/number-field.tsx";
import { useToast } from "#kit/toast.ts";
import { ChangedMeanwhile, SaveBar } from "#kit/unsaved.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { enCharges } from "../charges/texts.en.ts";
import { AmountField } from "../decimal-field.tsx";
import { SettingSection } from "../setting-section.tsx";
import { usePartEdit } from "../venue-settings/use-part-edit.ts";
import { venueSettingsQuery } from "../venue-settings/venue-settings-query.ts";
import { hasZoneGaps } from "./ordering-draft.ts";
import { TypeRows } from "./type-rows.tsx";
import { ZoneRows } from "./zone-rows.tsx";

addEnglishTexts(enCharges);

export const OrderingPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("ordering.title")} lead="venues.settingsOnly">
      <OrderingOfVenue />
    </RoleGuard>
  );
};

const OrderingOfVenue = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const settings = useQuery(venueSettingsQuery(venue));
  return (
    <Page title={t("ordering.title")} name={t("ordering.title")} lead={t("ordering.lead")} isNarrow>
      {settings.isPending && <Skeleton height={480} radius="lg" role="status" aria-label={t("common.loading")} />}
      {settings.error && !settings.data && <ErrorAlert error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && <OrderingEditor venue={venue} parts={settings.data} />}
    </Page>
  );
};

const OrderingEditor = ({ venue, parts }: { venue: string; parts: VenueSettingParts }) => {
  const { t } = useTranslation();
  const toast = useToast();
  const edit = usePartEdit({
    venue,
    part: "ordering",
    present: parts.ordering,
    writeOf: (seen_version, ordering) => ({ id: "saveOrdering", params: { venue }, body: { seen_version, ordering } }),
    onSaved: () => toast.done(t("ordering.saved")),
  });
  const { value: rules, errors, change, lostTo } = edit;
  const { currency } = parts.restaurant;
  return (
    <>
      {lostTo && <ChangedMeanwhile who={lostTo.who} onShow={edit.showPresent} />}
      {edit.error && <ErrorAlert error={edit.error} />}
      <Stack gap="lg" inert={edit.isPending}>
        <SettingSection title={t("ordering.types")} lead={t("ordering.typesHint")}>
          <TypeRows types={rules.types} currency={currency} errors={errors} onChange={(types) => change({ types })} />
        </SettingSection>
        <SettingSection title={t("ordering.ahead")}>
          <NumberField
            label={t("ordering.days")}
            description={t("ordering.daysHint")}
            min={0}
            max={730}
            value={rules.schedule_days_max}
            error={errors.schedule_days_max ?? null}
            onChange={(schedule_days_max) => change({ schedule_days_max })}
          />
        </SettingSection>
        <SettingSection title={t("ordering.delivery")} lead={t("ordering.deliveryHint")}>
          <AmountField
            label={t("ordering.fee", { currency })}
            description={t("ordering.feeHint")}
            currency={currency}
            minor={rules.delivery_fee_minor}
            error={errors.delivery_fee_minor ?? null}
            onMinor={(fee) => change({ delivery_fee_minor: fee ?? minor(0) })}
          />
          <ZoneRows
            zones={rules.delivery_zones}
            currency={currency}
            errors={errors}
            onChange={(delivery_zones) => change({ delivery_zones })}
          />
        </SettingSection>
      </Stack>
      <SaveBar
        isChanged={edit.isChanged}
        isPending={edit.isPending}
        isBlocked={hasZoneGaps(rules)}
        onSave={edit.save}
        onDiscard={edit.discard}
      />
    </>
  );
};
