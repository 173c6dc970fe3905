/** One review: what the guest wrote, the order or booking, and the reply. */
import "#guests/guests.css";
import "./reviews.css";
import type { WholeReview } from "@comanda/contract/console/reviews.ts";
import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { addEnglishTexts } from "#kit/language.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { RatedOrderDialog, RatedVisitDialog } from "./rated-dialogs.tsx";
import { Reply } from "./reply.tsx";
import { reviewQuery } from "./review-queries.ts";
import { Stars } from "./stars.tsx";
import { enReviews } from "./texts.en.ts";

addEnglishTexts(enReviews);

export const ReviewPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("reviews.title")} lead="reviews.onlyManagers">
      <FoundReview />
    </RoleGuard>
  );
};

const FoundReview = () => {
  const { t } = useTranslation();
  const { review } = useParams({ from: "/inside/v/$venue/reviews/$review" });
  const found = useQuery(reviewQuery(useVenue(), /^[1-9][0-9]{0,15}$/.test(review) ? Number(review) : 0));
  if (found.data) return <Whole whole={found.data} />;
  return (
    <Page title={t("reviews.title")} name={t("reviews.title")} back={<BackToReviews />} isNarrow>
      {found.error ? (
        <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Skeleton height={420} radius="lg" role="status" aria-label={t("common.loading")} />
      )}
    </Page>
  );
};

/** An erasure leaves the rating alone. */
const isErased = ({ review, channel }: WholeReview): boolean => review.guest_name === null && review.comment === null && channel === null;

const Whole = ({ whole }: { whole: WholeReview }) => {
  const { t } = useTranslation();
  const { review, zone } = whole;
  const name = t("reviews.one", { when: formatDayAndClock(review.created_at, zone) });
  return (
    <Page title={name} name={name} back={<BackToReviews />} isNarrow>
      <Stack gap="lg">
        <section className="sheet review-sheet" aria-label={name}>
          <span className="review-head">
            <Stars rating={review.rating} /> <bdi className="guest-row-name">{review.guest_name ?? t("reviews.noName")}</bdi>
          </span>
          <Text dir="auto" className="review-comment" {...(review.comment === null ? { c: "dimmed" } : {})}>
            {review.comment ?? t(isErased(whole) ? "reviews.erased" : "reviews.noComment")}
          </Text>
          <Rated whole={whole} />
        </section>
        <Reply key={review.replied_at} whole={whole} />
        <Text size="sm" c="dimmed">
          {t("reviews.clock", { zone: zone.replaceAll("_", " ") })}
        </Text>
      </Stack>
    </Page>
  );
};

const Rated = ({ whole: { order, reservation, guest_id: guestId, zone } }: { whole: WholeReview }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const [isOpen, setIsOpen] = useState(false);
  const orderText = order?.number == null ? t("reviews.openOrderPlain") : t("reviews.openOrder", { number: `#${order.number}` });
  return (
    <Group gap="sm">
      <Button variant="default" size="md" onClick={() => setIsOpen(true)}>
        {order ? orderText : t("reviews.openVisit")}
      </Button>
      {guestId !== null && (
        <Link to="/v/$venue/guests/$guest" params={{ venue, guest: String(guestId) }} className="review-link">
          {t("reviews.profile")}
        </Link>
      )}
      {isOpen && order && <RatedOrderDialog order={order.id} onClose={() => setIsOpen(false)} />}
      {isOpen && reservation && <RatedVisitDialog reservation={reservation.id} zone={zone} onClose={() => setIsOpen(false)} />}
    </Group>
  );
};

const BackToReviews = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <Link to="/v/$venue/reviews" params={{ venue }} className="back-link">
      {t("reviews.back")}
    </Link>
  );
};
