/** The pages of a log: loading, failed, empty, or the rows and what loads older ones. */
import { Button, Skeleton, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { LoadMore } from "#kit/load-more.tsx";
import { ErrorAlert } from "./page-states.tsx";

export const LogSkeleton = ({ rows = 6, height = 62 }: { rows?: number; height?: number }) => {
  const { t } = useTranslation();
  return (
    <Stack gap={0} className="sheet log" role="status" aria-label={t("common.loading")}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: empty lines are all the same.
        <div key={row} className="log-blank">
          <Skeleton height={height - 36} width={`${88 - (row % 3) * 14}%`} />
        </div>
      ))}
    </Stack>
  );
};

type LogQuery<Row> = {
  data: { pages: { data: Row[] }[] } | undefined;
  isPending: boolean;
  error: Error | null;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  refetch: () => Promise<unknown>;
  fetchNextPage: () => Promise<unknown>;
};

type LogPagesProps<Row> = { query: LogQuery<Row>; empty: ReactNode; children: (rows: Row[]) => ReactNode };

export const LogPages = <Row,>({ query, empty, children }: LogPagesProps<Row>) => {
  const rows = query.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      {query.isPending && <LogSkeleton />}
      {query.error && !rows && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      {rows?.length === 0 && empty}
      {rows && rows.length > 0 && (
        <>
          {children(rows)}
          <LoadMore
            hasMore={query.hasNextPage}
            isLoading={query.isFetchingNextPage}
            hasFailed={query.isFetchNextPageError}
            onMore={() => void query.fetchNextPage()}
          />
        </>
      )}
    </>
  );
};

type EmptyLogProps = {
  log: "activity" | "deliveries" | "requests";
  icon: ReactNode;
  isFiltered: boolean;
  onClear: () => void;
  /** What to do first in a log without any rows. */
  children?: ReactNode;
};

export const EmptyLog = ({ log, icon, isFiltered, onClear, children }: EmptyLogProps) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={icon} title={t(isFiltered ? `${log}.noneTitle` : `${log}.emptyTitle`)}>
      <Text c="dimmed" maw={480}>
        {t(isFiltered ? `${log}.noneLead` : `${log}.emptyLead`)}
      </Text>
      {isFiltered ? (
        <Button variant="default" onClick={onClear}>
          {t(`${log}.clear`)}
        </Button>
      ) : (
        children
      )}
    </EmptyState>
  );
};
