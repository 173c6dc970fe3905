/** The last steps of a new venue: a test order on the board, then going live. */
import "./sign-up-texts.ts";
import "./sign-up.css";
import type { VenueOpening } from "@comanda/contract/console/sign-up.ts";
import { Alert, Button, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useWrite } from "#kit/write.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { sessionQuery, useSession } from "#shell/session.ts";
import { useVenue } from "#shell/venue.ts";

const openingQuery = (venue: string) =>
  queryOptions({
    queryKey: [venue, "opening"],
    queryFn: async () => (await call("readOpening", { params: { venue } })).data,
  });

export const OpeningPage = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const opening = useQuery(openingQuery(venue));
  const name = useVenueName(venue);
  const title = t(opening.data?.is_live ? "signUp.opening.liveTitle" : "signUp.opening.title");
  return (
    <Page title={title} name={title} lead={opening.data?.is_live ? null : t("signUp.opening.lead", { venue: name })} isNarrow>
      {opening.isPending && <Skeleton height={280} radius="lg" role="status" aria-label={t("common.loading")} />}
      {opening.error && <ErrorAlert error={opening.error} onRetry={() => void opening.refetch()} />}
      {opening.data && <OpeningSteps venue={venue} name={name} opening={opening.data} />}
    </Page>
  );
};

const useVenueName = (venue: string): string => {
  const pick = useLocalizedName();
  const membership = useSession().venues.find(({ slug }) => slug === venue);
  return membership ? pick(membership.name, membership.default_language) : venue;
};

const useOpeningWrites = (venue: string) => {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const keep = (opening: VenueOpening): void => void queryClient.setQueryData(openingQuery(venue).queryKey, opening);
  // The page says why one was refused.
  const onRefused = (): void => undefined;
  const test = useWrite<"placeTestOrder">({
    onDone: ({ data }) => {
      keep(data);
      void navigate({ to: "/v/$venue/orders", params: { venue } });
    },
    onRefused,
  });
  const live = useWrite<"goLive">({
    readAgain: [sessionQuery.queryKey],
    onDone: ({ data }) => keep(data),
    onRefused,
  });
  return { test, live };
};

const OpeningSteps = ({ venue, name, opening }: { venue: string; name: string; opening: VenueOpening }) => {
  const { t } = useTranslation();
  const { test, live } = useOpeningWrites(venue);
  const error = test.error ?? live.error;
  return (
    <Stack gap="md" className="opening">
      {opening.is_suspended && <Alert color="yellow">{t("signUp.opening.suspended", { venue: name })}</Alert>}
      {opening.is_live ? (
        <Alert color="green" title={t("signUp.opening.isLive", { venue: name })} role="status">
          {t("signUp.opening.isLiveLead")}
        </Alert>
      ) : (
        <>
          <OpeningStep
            title={t("signUp.opening.test")}
            lead={t(opening.test_order ? "signUp.opening.testPlaced" : "signUp.opening.testLead")}
          >
            {opening.test_order ? (
              <Button size="md" variant="default" renderRoot={(props) => <Link to="/v/$venue/orders" params={{ venue }} {...props} />}>
                {t("signUp.opening.toBoard")}
              </Button>
            ) : (
              <Button size="md" loading={test.isPending} onClick={() => test.write({ id: "placeTestOrder", params: { venue } })}>
                {t("signUp.opening.test")}
              </Button>
            )}
          </OpeningStep>
          <OpeningStep title={t("signUp.opening.live")} lead={t("signUp.opening.liveLead")}>
            <Button
              size="md"
              variant={opening.test_order ? "filled" : "default"}
              loading={live.isPending}
              onClick={() => live.write({ id: "goLive", params: { venue } })}
            >
              {t("signUp.opening.live")}
            </Button>
          </OpeningStep>
        </>
      )}
      {error && <ErrorAlert error={error} />}
      <NextPages venue={venue} />
    </Stack>
  );
};

const OpeningStep = ({ title, lead, children }: { title: string; lead: string; children: ReactNode }) => (
  <Paper component="section" withBorder p="lg" radius="lg">
    <Stack gap="sm" align="flex-start">
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text>{lead}</Text>
      {children}
    </Stack>
  </Paper>
);

const NEXT_PAGES = [
  { to: "/v/$venue/menu", text: "signUp.opening.menu" },
  { to: "/v/$venue/floor", text: "signUp.opening.floor" },
  { to: "/v/$venue/booking-rules", text: "signUp.opening.bookingRules" },
  { to: "/v/$venue/screens", text: "signUp.opening.screens" },
] as const;

const NextPages = ({ venue }: { venue: string }) => {
  const { t } = useTranslation();
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t("signUp.opening.moreTitle")}
      </Title>
      <ul className="opening-next">
        {NEXT_PAGES.map(({ to, text }) => (
          <li key={to}>
            <Link to={to} params={{ venue }}>
              {t(text)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};
