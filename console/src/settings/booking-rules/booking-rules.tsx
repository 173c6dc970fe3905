/** Booking rules: every rule with its explanation, and beside it the answer that a guest would get. */
import "./booking-rules.css";
import type { BookingRuleSet } from "@comanda/contract/console/floor.ts";
import { Skeleton, Text, Title } from "@mantine/core";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { TryBooking } from "#bookings/try-booking.tsx";
import { call } from "#kit/api.ts";
import { useDraft, useDraftWrite } from "#kit/draft.ts";
import { readRuleErrors } from "#kit/error-text.ts";
import { addEnglishTexts } from "#kit/language.ts";
import { useToast } from "#kit/toast.ts";
import { ChangedMeanwhile, SaveBar } from "#kit/unsaved.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { enFloor } from "../floor/texts.en.ts";
import { hasGaps } from "./rules-draft.ts";
import { RulesForm } from "./rules-form.tsx";

/** The booking rules of a venue. */
const rulesQuery = (venue: string) =>
  queryOptions({
    queryKey: ["booking-rules", venue],
    queryFn: async () => (await call("readBookingRules", { params: { venue } })).data,
  });

addEnglishTexts(enFloor);

export const BookingRulesPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("bookingRules.title")} lead="venues.settingsOnly">
      <RulesOfVenue />
    </RoleGuard>
  );
};

const RulesOfVenue = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const rules = useQuery(rulesQuery(venue));
  return (
    <Page title={t("bookingRules.title")} name={t("bookingRules.title")} lead={t("bookingRules.lead")}>
      {rules.isPending && <Skeleton height={480} radius="lg" role="status" aria-label={t("common.loading")} />}
      {rules.error && !rules.data && <ErrorAlert error={rules.error} onRetry={() => void rules.refetch()} />}
      {rules.data && <RulesEditor venue={venue} present={rules.data} />}
    </Page>
  );
};

const RulesEditor = ({ venue, present }: { venue: string; present: BookingRuleSet }) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { version, value: rules, isChanged, change, drop } = useDraft({ version: present.version, value: present.rules });
  const { queryKey } = rulesQuery(venue);
  const { write, isPending, error, lostTo, discard, showPresent } = useDraftWrite<"saveBookingRules">({
    queryKey,
    drop,
    readAgain: [["booking-trial", venue]],
    onDone: ({ data }) => {
      queryClient.setQueryData(queryKey, data);
      toast.done(t("bookingRules.saved"));
    },
  });
  return (
    <>
      {lostTo && <ChangedMeanwhile who={lostTo.who} onShow={showPresent} />}
      {error && <ErrorAlert error={error} />}
      <div className="rules-editor" inert={isPending}>
        <RulesForm
          rules={rules}
          currency={present.currency}
          errors={readRuleErrors(error)}
          onChange={(part) => change({ ...rules, ...part })}
        />
        <section className="sheet rules-trial" aria-labelledby="rules-trial">
          <Title order={2} className="item-title" id="rules-trial">
            {t("tryBooking.title")}
          </Title>
          {isChanged && (
            <Text size="sm" role="status">
              {t("tryBooking.savedRules")}
            </Text>
          )}
          <TryBooking venue={venue} zone={present.zone} />
        </section>
      </div>
      <SaveBar
        isChanged={isChanged}
        isPending={isPending}
        isBlocked={hasGaps(rules)}
        onSave={() => write({ id: "saveBookingRules", params: { venue }, body: { seen_version: version, rules } })}
        onDiscard={discard}
      />
    </>
  );
};
