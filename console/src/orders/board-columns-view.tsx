/** The three columns of open orders. A phone shows one of them, chosen by tabs. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type BoardColumn, OPEN_COLUMNS, type OpenColumn } from "./board-columns.ts";
import { OrderCard } from "./order-card.tsx";

/** Orders whose last change is on its way, and those whose changes wait for the connection. */
export type CardMarks = { sendingIds: ReadonlySet<string>; waitingIds: ReadonlySet<string> };

type BoardColumnsProps = { columns: Record<BoardColumn, BoardOrder[]>; marks: CardMarks };

export const BoardColumns = ({ columns, marks }: BoardColumnsProps) => {
  const { t } = useTranslation();
  const [tab, setTab] = useState<OpenColumn>("new");
  return (
    <>
      <SegmentedControl
        className="board-tabs"
        fullWidth
        size="md"
        aria-label={t("board.title")}
        value={tab}
        onChange={(value) => setTab(OPEN_COLUMNS.find((column) => column === value) ?? "new")}
        data={OPEN_COLUMNS.map((column) => ({ value: column, label: `${t(`board.columns.${column}`)} ${columns[column].length}` }))}
      />
      <div className="board-columns" data-tab={tab}>
        {OPEN_COLUMNS.map((column) => (
          <Column key={column} column={column} orders={columns[column]} marks={marks} />
        ))}
      </div>
    </>
  );
};

const Column = ({ column, orders, marks }: { column: OpenColumn; orders: BoardOrder[]; marks: CardMarks }) => {
  const { t } = useTranslation();
  return (
    <section className={`board-column column-${column}`} aria-labelledby={`column-${column}`}>
      <h2 id={`column-${column}`} className="column-title">
        {t(`board.columns.${column}`)}
        <span className="column-count figures" aria-label={t("board.columnCount", { count: orders.length })} role="img">
          {orders.length}
        </span>
      </h2>
      {orders.length === 0 ? <p className="column-empty">{t(`board.nothing.${column}`)}</p> : <Cards orders={orders} marks={marks} />}
    </section>
  );
};

type CardsProps = { orders: BoardOrder[]; marks: CardMarks; hasStatus?: boolean };

export const Cards = ({ orders, marks, hasStatus = false }: CardsProps) => (
  <div className="order-cards">
    {orders.map((order) => (
      <OrderCard
        key={order.order.id}
        order={order}
        isSending={marks.sendingIds.has(order.order.id)}
        isWaiting={marks.waitingIds.has(order.order.id)}
        hasStatus={hasStatus}
      />
    ))}
  </div>
);
