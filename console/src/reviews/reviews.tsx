/** Reviews: whether guests are asked, how they rate, and what they wrote, the newest first. */
import "#guests/guests.css";
import "./reviews.css";
import type { ListedReview, ReviewDesk } from "@comanda/contract/console/reviews.ts";
import { Chip, Group, Skeleton, Text, Title, VisuallyHidden } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { StarIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { LoadMore } from "#kit/load-more.tsx";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { FailedMessages } from "#messages/failed-messages.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { Asking } from "./asking.tsx";
import { reviewDeskQuery, reviewsQuery } from "./review-queries.ts";
import { Stars } from "./stars.tsx";
import { enReviews } from "./texts.en.ts";

addEnglishTexts(enReviews);

export const ReviewsPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("reviews.title")} lead="reviews.onlyManagers">
      <Desk />
    </RoleGuard>
  );
};

const Desk = () => {
  const { t } = useTranslation();
  const desk = useQuery(reviewDeskQuery(useVenue()));
  return (
    <Page title={t("reviews.title")} name={t("reviews.title")} lead={t("reviews.lead")} isNarrow>
      {desk.error && !desk.data && <ErrorAlert error={desk.error} onRetry={() => void desk.refetch()} />}
      {desk.isPending && <Skeleton height={320} radius="lg" role="status" aria-label={t("common.loading")} />}
      {desk.data && (
        <>
          <FailedMessages />
          <Asking rules={desk.data.rules} />
          <Inbox desk={desk.data} />
        </>
      )}
    </Page>
  );
};

const Inbox = ({ desk }: { desk: ReviewDesk }) => {
  const { t } = useTranslation();
  const [rating, setRating] = useState<number | null>(null);
  const found = useInfiniteQuery(reviewsQuery(useVenue(), rating));
  const rows = found.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section className="guest-found" aria-labelledby="review-list">
      <Title order={2} id="review-list">
        {t("reviews.list")}
      </Title>
      <Average desk={desk} />
      <RatingChoice desk={desk} rating={rating} onChange={setRating} />
      {found.error && rows.length === 0 && <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton height={200} radius="lg" role="status" aria-label={t("common.loading")} />}
      {found.data && rows.length === 0 && <NoReviews isFiltered={rating !== null} />}
      {rows.length > 0 && (
        <>
          <ReviewRows rows={rows} zone={desk.zone} />
          <LoadMore
            hasMore={found.hasNextPage}
            isLoading={found.isFetchingNextPage}
            hasFailed={found.isFetchNextPageError}
            onMore={() => void found.fetchNextPage()}
          />
          <Text size="sm" c="dimmed">
            {t("reviews.clock", { zone: desk.zone.replaceAll("_", " ") })}
          </Text>
        </>
      )}
    </section>
  );
};

const Average = ({ desk: { counts } }: { desk: ReviewDesk }) => {
  const { t, i18n } = useTranslation();
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const average = counts.reduce((sum, { rating, count }) => sum + rating * count, 0) / total;
  const shown = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1, numberingSystem: "latn" }).format(average);
  return <Text>{t("reviews.average", { average: shown, total })}</Text>;
};

type RatingChoiceProps = { desk: ReviewDesk; rating: number | null; onChange: (rating: number | null) => void };

const RatingChoice = ({ desk: { counts }, rating, onChange }: RatingChoiceProps) => {
  const { t } = useTranslation();
  return (
    <Chip.Group value={String(rating ?? "all")} onChange={(value) => onChange(value === "all" ? null : Number(value))}>
      <Group gap="xs" role="radiogroup" aria-label={t("reviews.ratings")}>
        <Chip size="md" value="all">
          {t("reviews.all")}
        </Chip>
        {counts.toReversed().map(({ rating: value, count }) => (
          <Chip key={value} size="md" value={String(value)}>
            <span aria-hidden="true" className="figures">
              {value} ★ · {count}
            </span>
            <VisuallyHidden>{t("reviews.countOf", { rating: t("reviews.rating", { value }), number: count })}</VisuallyHidden>
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
};

const NoReviews = ({ isFiltered }: { isFiltered: boolean }) => {
  const { t } = useTranslation();
  if (isFiltered)
    return (
      <Text role="status" c="dimmed">
        {t("reviews.none")}
      </Text>
    );
  return (
    <EmptyState icon={<StarIcon size={28} />} title={t("reviews.emptyTitle")}>
      <Text c="dimmed">{t("reviews.emptyLead")}</Text>
    </EmptyState>
  );
};

const ReviewRows = ({ rows, zone }: { rows: readonly ListedReview[]; zone: string }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <ul className="sheet guest-rows" aria-labelledby="review-list">
      {rows.map((review) => (
        <li key={review.id}>
          <Link to="/v/$venue/reviews/$review" params={{ venue, review: String(review.id) }} className="guest-row">
            <span className="guest-row-main">
              <span className="review-head">
                <Stars rating={review.rating} /> <bdi className="guest-row-name">{review.guest_name ?? t("reviews.noName")}</bdi>
              </span>
              <span className="review-excerpt" dir="auto">
                {review.comment ?? t("reviews.noComment")}
              </span>
            </span>
            <span className="guest-row-side hint">
              <span>{t(review.replied_at === null ? "reviews.unanswered" : "reviews.replied")}</span>
              <time dateTime={review.created_at} className="figures">
                {formatDayAndClock(review.created_at, zone)}
              </time>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
};
