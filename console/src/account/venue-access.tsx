/** What a person sees in place of a venue's page: the membership ended, a second factor is missing, or the plan lacks the page. */
import type { Feature } from "@comanda/contract/scopes.ts";
import { Button, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { ShieldIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { dropKeptBoard } from "#offline/board-copies.ts";
import { Page, usePageTitle } from "#shell/page.tsx";
import { sessionQuery, useSession } from "#shell/session.ts";
import { useSignOut } from "#shell/sign-out.tsx";
import { useVenueName } from "#shell/venue.ts";
import { SecondFactor } from "./second-factor.tsx";
import { enAccess } from "./texts-access.en.ts";

addEnglishTexts(enAccess);

/** The rule may be taken back meanwhile. */
const ASK_AGAIN_MS = 15_000;

/** What was read before is not this person's to see any more. */
const useForget = (venue: string): void => {
  const queryClient = useQueryClient();
  const { id: person } = useSession().person;
  useEffect(() => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[1] === venue });
    dropKeptBoard({ person, venue });
  }, [queryClient, venue, person]);
};

export const LostVenue = ({ venue }: { venue: string }) => {
  const { t } = useTranslation();
  usePageTitle(t("access.lostTitle"));
  useForget(venue);
  return (
    <div className="page">
      <EmptyState icon={<ShieldIcon size={28} />} title={t("access.lostTitle")} isWholePage>
        <Text c="dimmed">{t("access.lostLead")}</Text>
        <Button size="md" renderRoot={(props) => <Link to="/" {...props} />}>
          {t("access.lostAction")}
        </Button>
      </EmptyState>
    </div>
  );
};

/** An owner ended the sessions of this person in this venue. A new sign-in opens it again. */
export const SignInAgain = ({ venue }: { venue: string }) => {
  const { t } = useTranslation();
  const name = useVenueName();
  const signOut = useSignOut("signOut", { to: `/v/${venue}/orders` });
  usePageTitle(t("access.endedTitle"));
  useForget(venue);
  return (
    <div className="page">
      <EmptyState icon={<ShieldIcon size={28} />} title={t("access.endedTitle")} isWholePage>
        <Text c="dimmed">{t("access.endedLead", { venue: name })}</Text>
        <Button size="md" loading={signOut.isPending} onClick={() => signOut.mutate()}>
          {t("access.endedAction")}
        </Button>
      </EmptyState>
    </div>
  );
};

/** `onBusy`: recovery codes are shown once, so the page stays until they are closed. */
export const FactorSetup = ({ onBusy }: { onBusy: (isBusy: boolean) => void }) => {
  const { t } = useTranslation();
  const venue = useVenueName();
  useQuery({ ...sessionQuery, refetchInterval: ASK_AGAIN_MS });
  return (
    <Page title={t("access.factorTitle")} name={t("access.factorTitle")} lead={t("access.factorLead", { venue })} isNarrow>
      <SecondFactor onBusy={onBusy} />
      <Text c="dimmed">{t("access.factorAfter")}</Text>
    </Page>
  );
};

export const LackingFeature = ({ venue, feature }: { venue: string; feature: Feature }) => {
  const { t } = useTranslation();
  const name = useVenueName();
  usePageTitle(t("access.featureTitle"));
  return (
    <div className="page">
      <EmptyState icon={<ShieldIcon size={28} />} title={t("access.featureTitle")} isWholePage>
        <Stack align="center" gap="md">
          <Text c="dimmed">{t("access.featureLead", { venue: name, feature: t(`access.features.${feature}`) })}</Text>
          <Button size="md" renderRoot={(props) => <Link to="/v/$venue/orders" params={{ venue }} {...props} />}>
            {t("access.featureAction")}
          </Button>
        </Stack>
      </EmptyState>
    </div>
  );
};
