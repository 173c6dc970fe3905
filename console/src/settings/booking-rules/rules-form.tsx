/** A field for every member of the booking rules. */
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import { Stack, Switch, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RuleErrors } from "#kit/error-text.ts";
import { HoursFields } from "#kit/hours-fields.tsx";
import { NumberField } from "#kit/number-field.tsx";
import { GuaranteeFields } from "./guarantee-fields.tsx";
import { StayRows } from "./stay-rows.tsx";

type RulesFormProps = { rules: BookingRules; currency: string; errors: RuleErrors; onChange: (part: Partial<BookingRules>) => void };
type RulePartProps = Omit<RulesFormProps, "currency">;

export const RulesForm = ({ rules, currency, errors, onChange }: RulesFormProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookingRules" });
  return (
    <Stack gap="lg" className="rules-form">
      <RuleSection title={t("times")}>
        <TimeFields rules={rules} errors={errors} onChange={onChange} />
      </RuleSection>
      <RuleSection title={t("stays")} lead={t("staysHint")}>
        <StayRows rows={rules.turn_times} errors={errors} onChange={(turn_times) => onChange({ turn_times })} />
      </RuleSection>
      <RuleSection title={t("limits")}>
        <LimitFields rules={rules} errors={errors} onChange={onChange} />
      </RuleSection>
      <RuleSection title={t("full")}>
        <Switch
          size="lg"
          label={t("overbooking")}
          description={t("overbookingHint")}
          checked={rules.allow_overbooking}
          onChange={({ currentTarget: { checked } }) => onChange({ allow_overbooking: checked })}
        />
        <Switch
          size="lg"
          label={t("waitingList")}
          description={t("waitingListHint")}
          checked={rules.waiting_list}
          onChange={({ currentTarget: { checked } }) => onChange({ waiting_list: checked })}
        />
      </RuleSection>
      <RuleSection title={t("guarantee")}>
        <GuaranteeFields
          guarantee={rules.guarantee}
          currency={currency}
          errors={errors}
          onChange={(guarantee) => onChange({ guarantee })}
        />
      </RuleSection>
    </Stack>
  );
};

const RuleSection = ({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) => (
  <section className="sheet rule-section">
    <Title order={2} className="item-title">
      {title}
    </Title>
    {lead && (
      <Text c="dimmed" size="sm">
        {lead}
      </Text>
    )}
    <Stack gap="md" mt="sm">
      {children}
    </Stack>
  </section>
);

const TimeFields = ({ rules, errors, onChange }: RulePartProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookingRules" });
  return (
    <>
      <NumberField
        label={t("slot")}
        description={t("slotHint")}
        suffix={` ${t("minutes")}`}
        min={5}
        max={240}
        step={5}
        value={rules.slot_minutes}
        error={errors.slot_minutes ?? null}
        onChange={(slot_minutes) => onChange({ slot_minutes })}
      />
      <Switch
        size="lg"
        label={t("periodsOwn")}
        description={t("periodsHint")}
        checked={rules.service_periods !== null}
        onChange={({ currentTarget: { checked } }) => onChange({ service_periods: checked ? [] : null })}
      />
      {rules.service_periods && (
        <HoursFields
          hours={rules.service_periods}
          path="service_periods"
          errors={errors}
          onChange={(service_periods) => onChange({ service_periods })}
        />
      )}
    </>
  );
};

const LimitFields = ({ rules, errors, onChange }: RulePartProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookingRules" });
  return (
    <>
      <NumberField
        label={t("partyMax")}
        description={t("partyMaxHint")}
        min={1}
        max={500}
        value={rules.party_size_max}
        error={errors.party_size_max ?? null}
        onChange={(party_size_max) => onChange({ party_size_max })}
      />
      <NumberField
        label={t("lead_minutes")}
        description={t("leadHint")}
        min={0}
        max={43_200}
        step={15}
        value={rules.lead_minutes}
        error={errors.lead_minutes ?? null}
        onChange={(lead_minutes) => onChange({ lead_minutes })}
      />
      <NumberField
        label={t("horizon")}
        description={t("horizonHint")}
        min={0}
        max={730}
        value={rules.horizon_days}
        error={errors.horizon_days ?? null}
        onChange={(horizon_days) => onChange({ horizon_days })}
      />
    </>
  );
};
