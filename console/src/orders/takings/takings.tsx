/** The takings of one day, by method and person. */
import "../styles.ts";
import type { Takings } from "@comanda/contract/console/orders.ts";
import { Skeleton, Text, TextInput } from "@mantine/core";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { EmptyState } from "#kit/empty-state.tsx";
import { TakingsIcon } from "#kit/icons.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { TakingsTable } from "./takings-table.tsx";

const takingsQuery = (venue: string, date: string | undefined) =>
  queryOptions({
    queryKey: ["takings", venue, date ?? "today"],
    queryFn: async () => (await call("readTakings", { params: { venue }, query: date === undefined ? {} : { date } })).data,
    placeholderData: keepPreviousData,
  });

export const TakingsPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("takings.title")} lead="venues.takingsOnly">
      <TakingsOfDay />
    </RoleGuard>
  );
};

const TakingsOfDay = () => {
  const { t } = useTranslation();
  const { date } = useSearch({ from: "/inside/v/$venue/takings" });
  const navigate = useNavigate({ from: "/v/$venue/takings" });
  const takings = useQuery(takingsQuery(useVenue(), date));
  return (
    <Page
      title={t("takings.title")}
      name={t("takings.title")}
      lead={t("takings.lead")}
      action={
        <TextInput
          type="date"
          label={t("takings.date")}
          value={date ?? takings.data?.date ?? ""}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            void navigate({ search: chosen === "" ? {} : { date: chosen }, replace: true });
          }}
        />
      }
    >
      {takings.error ? (
        <ErrorAlert error={takings.error} onRetry={() => void takings.refetch()} />
      ) : takings.data ? (
        <TakingsBody takings={takings.data} />
      ) : (
        <Skeleton height={280} radius="lg" role="status" aria-label={t("common.loading")} />
      )}
    </Page>
  );
};

const TakingsBody = ({ takings }: { takings: Takings }) => {
  const { t } = useTranslation();
  if (takings.rows.length === 0)
    return (
      <EmptyState icon={<TakingsIcon size={28} />} title={t("takings.emptyTitle")}>
        <Text c="dimmed">{t("takings.emptyLead")}</Text>
      </EmptyState>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
    <section className="sheet takings-scroll" aria-label={t("takings.title")} tabIndex={0}>
      <TakingsTable takings={takings} />
    </section>
  );
};
