/** Gift cards: sell, check, and for managers find. */
import "#guests/guests.css";
import "./gift-cards.css";
import type { GiftCardDesk } from "@comanda/contract/console/gift-cards.ts";
import { Button, Group, Skeleton, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { enGuests } from "#guests/texts.en.ts";
import { EmptyState } from "#kit/empty-state.tsx";
import { GiftIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { ListSearch } from "#kit/list-search.tsx";
import { LoadMore } from "#kit/load-more.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useRole, useVenue } from "#shell/venue.ts";
import { CardRows } from "./card-rows.tsx";
import { CheckCard } from "./check-card.tsx";
import { cardsQuery, deskQuery } from "./gift-card-queries.ts";
import { NewCardCode, type ShownCard } from "./new-card-code.tsx";
import { SellCard } from "./sell-card.tsx";
import { enGiftCards } from "./texts.en.ts";

addEnglishTexts(enGuests);
addEnglishTexts(enGiftCards);

const PAUSE_MS = 250;

export const GiftCardsPage = () => {
  const { t } = useTranslation();
  const desk = useQuery(deskQuery(useVenue()));
  return (
    <Page title={t("giftCards.title")} name={t("giftCards.title")} lead={t("giftCards.lead")} isNarrow>
      {desk.error && <ErrorAlert error={desk.error} onRetry={() => void desk.refetch()} />}
      {desk.isPending && <Skeleton height={320} radius="lg" role="status" aria-label={t("common.loading")} />}
      {desk.data && <CardDesk desk={desk.data} />}
    </Page>
  );
};

const CardDesk = ({ desk }: { desk: GiftCardDesk }) => {
  const { t } = useTranslation();
  const isManager = useRole() !== "staff";
  const [open, setOpen] = useState<"sell" | "give" | null>(null);
  const [sold, setSold] = useState<ShownCard | null>(null);
  return (
    <>
      <Group gap="sm">
        <Button size="md" leftSection={<GiftIcon size={18} />} onClick={() => setOpen("sell")}>
          {t("giftCards.sell")}
        </Button>
        {isManager && (
          <Button size="md" variant="default" onClick={() => setOpen("give")}>
            {t("giftCards.give")}
          </Button>
        )}
      </Group>
      <CheckCard />
      {isManager && <FoundCards />}
      <SellCard kind={open} desk={desk} onClose={() => setOpen(null)} onSold={setSold} />
      <NewCardCode card={sold} onClose={() => setSold(null)} />
    </>
  );
};

const FoundCards = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const [written, setWritten] = useState("");
  const [search] = useDebouncedValue(written.trim(), PAUSE_MS);
  const cards = useInfiniteQuery(cardsQuery(venue, search === "" ? {} : { search }));
  const rows = cards.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section className="guest-found" aria-labelledby="all-cards">
      <Title order={2} id="all-cards">
        {t("giftCards.all")}
      </Title>
      <ListSearch label={t("giftCards.search")} value={written} onChange={setWritten} />
      {cards.error && rows.length === 0 && <ErrorAlert error={cards.error} onRetry={() => void cards.refetch()} />}
      {cards.isPending && <Skeleton height={200} radius="lg" role="status" aria-label={t("common.loading")} />}
      {cards.data && rows.length === 0 && <NoCards search={search} />}
      {rows.length > 0 && (
        <>
          <CardRows rows={rows} label={t("giftCards.all")} />
          <LoadMore
            hasMore={cards.hasNextPage}
            isLoading={cards.isFetchingNextPage}
            hasFailed={cards.isFetchNextPageError}
            onMore={() => void cards.fetchNextPage()}
          />
        </>
      )}
    </section>
  );
};

const NoCards = ({ search }: { search: string }) => {
  const { t } = useTranslation();
  if (search !== "")
    return (
      <Text role="status" c="dimmed">
        {t("giftCards.none", { text: search })}
      </Text>
    );
  return (
    <EmptyState icon={<GiftIcon size={28} />} title={t("giftCards.emptyTitle")}>
      <Text c="dimmed">{t("giftCards.emptyLead")}</Text>
    </EmptyState>
  );
};
