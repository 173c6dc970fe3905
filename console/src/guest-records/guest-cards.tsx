/** The gift cards of a guest, for managers: staff find a card by its code alone. */
import "#gift-cards/gift-cards.css";
import { Skeleton, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CardRows } from "#gift-cards/card-rows.tsx";
import { cardsQuery } from "#gift-cards/gift-card-queries.ts";
import { enGiftCards } from "#gift-cards/texts.en.ts";
import { addEnglishTexts } from "#kit/language.ts";
import { LoadMore } from "#kit/load-more.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useRole, useVenue } from "#shell/venue.ts";

addEnglishTexts(enGiftCards);

export const GuestCards = ({ id }: { id: number }) => (useRole() === "staff" ? null : <CardsOfGuest id={id} />);

const CardsOfGuest = ({ id }: { id: number }) => {
  const { t } = useTranslation();
  const cards = useInfiniteQuery(cardsQuery(useVenue(), { guest: id }));
  const rows = cards.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section className="guest-found" aria-labelledby="guest-cards">
      <Title order={2} id="guest-cards">
        {t("giftCards.title")}
      </Title>
      {cards.error && rows.length === 0 && <ErrorAlert error={cards.error} onRetry={() => void cards.refetch()} />}
      {cards.isPending && <Skeleton height={80} radius="lg" role="status" aria-label={t("common.loading")} />}
      {cards.data && rows.length === 0 && <Text c="dimmed">{t("guests.noCards")}</Text>}
      {rows.length > 0 && <CardRows rows={rows.map((card) => ({ ...card, guest: null }))} label={t("giftCards.title")} />}
      {cards.hasNextPage && (
        <LoadMore
          hasMore
          isLoading={cards.isFetchingNextPage}
          hasFailed={cards.isFetchNextPageError}
          onMore={() => void cards.fetchNextPage()}
        />
      )}
    </section>
  );
};
