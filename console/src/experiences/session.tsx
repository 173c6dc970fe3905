/** One session: tickets are sold and held here, and the guest list is checked. */
import "./experiences.css";
import type { SessionSheet } from "@comanda/contract/console/experiences.ts";
import { Alert, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { EndedTickets } from "./ended-tickets.tsx";
import { sheetQuery } from "./experience-queries.ts";
import { GuestList } from "./guest-list.tsx";
import { HeldTickets } from "./held-tickets.tsx";
import { SellTickets } from "./sell-tickets.tsx";
import { SessionActions } from "./session-actions.tsx";
import { formatSession, leftOf } from "./session-figures.ts";
import { enExperiences } from "./texts.en.ts";

addEnglishTexts(enExperiences);

export const ExperienceSessionPage = () => {
  const { session } = useParams({ from: "/inside/v/$venue/experiences/sessions/$session" });
  return <SessionOf key={session} id={/^[1-9][0-9]{0,15}$/.test(session) ? Number(session) : 0} />;
};

const SessionOf = ({ id }: { id: number }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const venue = useVenue();
  const sheet = useQuery(sheetQuery(venue, id));
  const name = sheet.data ? pick(sheet.data.experience.name) : t("experiences.unnamed");
  return (
    <Page
      title={<bdi>{name}</bdi>}
      name={name}
      lead={
        sheet.data && (
          <>
            <time dateTime={sheet.data.session.starts_at}>{formatSession(sheet.data.session.starts_at, sheet.data.zone)}</time> ·{" "}
            <bdi>{pick(sheet.data.branch)}</bdi>
          </>
        )
      }
      back={
        <Link to="/v/$venue/experiences" params={{ venue }} className="back-link">
          {t("experiences.back")}
        </Link>
      }
      isNarrow
    >
      {sheet.error && !sheet.data && <ErrorAlert error={sheet.error} onRetry={() => void sheet.refetch()} />}
      {sheet.isPending && <Skeleton height={420} radius="lg" role="status" aria-label={t("common.loading")} />}
      {sheet.data && <WholeSession sheet={sheet.data} />}
    </Page>
  );
};

const WholeSession = ({ sheet }: { sheet: SessionSheet }) => {
  const { t } = useTranslation();
  const held = sheet.bookings.filter(({ state }) => state === "held");
  const paid = sheet.bookings.filter(({ state }) => state === "paid");
  const toRefund = paid.filter(({ refundable_minor }) => refundable_minor > 0).length;
  return (
    <Stack gap="lg">
      <Figures sheet={sheet} />
      <SessionActions sheet={sheet} />
      {sheet.closed_because !== null && (
        <Alert color="orange" role="status">
          {t(`experiences.closed.${sheet.closed_because}`)}{" "}
          {sheet.closed_because === "cancelled" && toRefund > 0 && t("experiences.toRefund", { count: toRefund })}
        </Alert>
      )}
      {sheet.closed_because === null && leftOf(sheet.session) > 0 && <SellTickets sheet={sheet} />}
      {held.length > 0 && <HeldTickets sheet={sheet} held={held} />}
      <GuestList sheet={sheet} paid={paid} />
      {sheet.ended.length > 0 && <EndedTickets sheet={sheet} />}
      <Text size="sm" c="dimmed">
        {t("experiences.clock", { zone: sheet.zone.replaceAll("_", " ") })}
      </Text>
    </Stack>
  );
};

const Figures = ({ sheet: { session } }: { sheet: SessionSheet }) => {
  const { t } = useTranslation();
  const left = leftOf(session);
  return (
    <p className="experience-figures figures" role="status" aria-label={t("experiences.figures")}>
      <span>{t("experiences.sold", { count: session.sold })}</span>
      <span>{t("experiences.held", { count: session.held })}</span>
      <span className={left === 0 ? "experience-mark" : undefined}>
        {left === 0
          ? t("experiences.full")
          : `${t("experiences.left", { count: left })} ${t("experiences.ofSeats", { seats: session.capacity })}`}
      </span>
    </p>
  );
};
