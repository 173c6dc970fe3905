/** Taxes and charges: the rules on one side, and what they make of an order on the other. */
import "./charges.css";
import type { VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import { Alert, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { WarningIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { useToast } from "#kit/toast.ts";
import { ChangedMeanwhile, SaveBar } from "#kit/unsaved.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { SettingSection } from "../setting-section.tsx";
import { type PartErrors, usePartEdit } from "../venue-settings/use-part-edit.ts";
import { venueSettingsQuery } from "../venue-settings/venue-settings-query.ts";
import { hasChargeGaps, removeTax } from "./charges-draft.ts";
import { FeeFields } from "./fee-fields.tsx";
import { PromotionRows } from "./promotion-rows.tsx";
import { SampleReceiptPanel } from "./sample-receipt.tsx";
import { TaxRows } from "./tax-rows.tsx";
import { enCharges } from "./texts.en.ts";

addEnglishTexts(enCharges);

export const ChargesPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("charges.title")} lead="venues.settingsOnly">
      <ChargesOfVenue />
    </RoleGuard>
  );
};

const ChargesOfVenue = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const settings = useQuery(venueSettingsQuery(venue));
  return (
    <Page title={t("charges.title")} name={t("charges.title")} lead={t("charges.lead")}>
      {settings.isPending && <Skeleton height={480} radius="lg" role="status" aria-label={t("common.loading")} />}
      {settings.error && !settings.data && <ErrorAlert error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && <ChargesEditor venue={venue} parts={settings.data} />}
    </Page>
  );
};

const ChargesEditor = ({ venue, parts }: { venue: string; parts: VenueSettingParts }) => {
  const { t } = useTranslation();
  const toast = useToast();
  const edit = usePartEdit({
    venue,
    part: "charges",
    present: parts.charges,
    writeOf: (seen_version, charges) => ({ id: "saveCharges", params: { venue }, body: { seen_version, charges } }),
    onSaved: () => toast.done(t("charges.saved")),
  });
  const { value: charges, errors, change, lostTo } = edit;
  const { currency, value: restaurant } = parts.restaurant;
  return (
    <>
      {lostTo && <ChangedMeanwhile who={lostTo.who} onShow={edit.showPresent} />}
      {edit.error && <RefusedCharges error={edit.error} errors={errors} />}
      <div className="charges-editor">
        <Stack gap="lg" inert={edit.isPending}>
          <SettingSection title={t("charges.taxes")} lead={t("charges.taxesHint")}>
            <TaxRows
              taxes={charges.taxes}
              errors={errors}
              onChange={(taxes) => change({ taxes })}
              onRemove={(key) => change(removeTax(charges, key))}
            />
          </SettingSection>
          <FeeFields charges={charges} errors={errors} onChange={change} />
          <SettingSection title={t("charges.promotions")} lead={t("charges.promotionsHint")}>
            <PromotionRows
              promotions={charges.promotions}
              saved={parts.charges.value.promotions}
              language={restaurant.default_language}
              currency={currency}
              errors={errors}
              onChange={(promotions) => change({ promotions })}
            />
          </SettingSection>
        </Stack>
        <SampleReceiptPanel venue={venue} charges={charges} currency={currency} name={restaurant.name} />
      </div>
      <SaveBar
        isChanged={edit.isChanged}
        isPending={edit.isPending}
        isBlocked={hasChargeGaps(charges)}
        onSave={edit.save}
        onDiscard={edit.discard}
      />
    </>
  );
};

/** Sentences that belong to no field: of the list of taxes, and of taxes that dishes have. */
const RefusedCharges = ({ error, errors }: { error: unknown; errors: PartErrors }) => {
  const { t } = useTranslation();
  const translate = useErrorTranslation();
  const general = Object.entries(errors).filter(
    ([path]) => path.startsWith("removed.") || path === "taxes" || path.startsWith("promotions"),
  );
  if (general.length === 0) return <ErrorAlert error={error} />;
  return (
    <Alert color="red" variant="light" icon={<WarningIcon />} title={t("refusals.notPossible")} role="alert">
      {general.map(([path, sentence]) => (
        <div key={path} dir="auto">
          {translate(sentence)}
        </div>
      ))}
    </Alert>
  );
};
