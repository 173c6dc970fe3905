/** Later and Done: folded, because no one works on them now. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { Skeleton, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ChevronIcon } from "#kit/icons.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { type CardMarks, Cards } from "./board-columns-view.tsx";
import { closedOrdersQuery } from "./board-query.ts";

type FoldProps = { name: "later" | "done"; count: number | null; children: () => ReactNode };

const Fold = ({ name, count, children }: FoldProps) => {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <section className="sheet fold board-fold">
      <h2>
        <UnstyledButton className="fold-head service-target" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
          <span className={isOpen ? "turn turned" : "turn"}>
            <ChevronIcon />
          </span>
          {t(`board.columns.${name}`)}
          {count !== null && <span className="column-count figures">{count}</span>}
        </UnstyledButton>
      </h2>
      <div id={id} className="fold-body" hidden={!isOpen}>
        {isOpen && children()}
      </div>
    </section>
  );
};

export const LaterOrders = ({ orders, marks }: { orders: BoardOrder[]; marks: CardMarks }) =>
  orders.length > 0 && (
    <Fold name="later" count={orders.length}>
      {() => <Cards orders={orders} marks={marks} />}
    </Fold>
  );

export const DoneOrders = ({ branch, marks }: { branch: string; marks: CardMarks }) => (
  <Fold name="done" count={null}>
    {() => <ClosedOrders branch={branch} marks={marks} />}
  </Fold>
);

const ClosedOrders = ({ branch, marks }: { branch: string; marks: CardMarks }) => {
  const { t } = useTranslation();
  const closed = useQuery(closedOrdersQuery(useVenue(), branch));
  if (closed.error) return <ErrorAlert error={closed.error} onRetry={() => void closed.refetch()} />;
  if (!closed.data) return <Skeleton height={120} role="status" aria-label={t("common.loading")} />;
  if (closed.data.length === 0) return <Text c="dimmed">{t("board.noneClosed")}</Text>;
  return <Cards orders={closed.data} marks={marks} hasStatus />;
};

/** An order without a branch is shown in each. An empty choice is all branches. */
export const isInBranch = (branchId: number | null, branch: string): boolean =>
  branch === "" || branchId === null || String(branchId) === branch;
