/** The orders board: what is new, what cooks, what waits for its guest. */
import "./styles.ts";
import "./board-texts.ts";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { Alert, Skeleton, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { memo, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useClock } from "#kit/clock.ts";
import { EmptyState } from "#kit/empty-state.tsx";
import { ReceiptIcon, WarningIcon } from "#kit/icons.tsx";
import { readStored, writeStored } from "#kit/stored.ts";
import { useWakeLock } from "#kit/wake-lock.ts";
import { FailedMessages } from "#messages/failed-messages.tsx";
import type { BoardState } from "#offline/local-database.ts";
import { lazyPart } from "#shell/offline.tsx";
import { usePageTitle } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { NotCurrentBar } from "#shell/pulse.tsx";
import { useRole, useVenue } from "#shell/venue.ts";
import { type BoardColumn, isHeld, sortIntoColumns } from "./board-columns.ts";
import { BoardColumns } from "./board-columns-view.tsx";
import { BoardHead } from "./board-head.tsx";
import { useBoardKeys } from "./board-keys.ts";
import { useBoard } from "./board-query.ts";
import { DoneOrders, isInBranch, LaterOrders } from "./folded-orders.tsx";
import { FoundOrders } from "./found-orders.tsx";
import type { OrderDraft } from "./new-order/order-draft.ts";
import { BoardContext, type OrderActions, type OrderDialog } from "./order-actions.ts";
import { OrderDialogs } from "./order-dialogs.tsx";
import { useOrderMoves, withChosenStatuses } from "./order-moves.ts";
import { OrderTypesDialog } from "./order-types/order-types-dialog.tsx";
import { TypeChips } from "./order-types/type-chips.tsx";
import { PrintArea, usePrint } from "./print/print-area.tsx";
import { createSelection, leaveOrder, type OrderSelection } from "./selection.ts";
import { UndoBar } from "./undo-bar.tsx";
import { WaitingBar } from "./waiting-bar.tsx";

const NewOrder = lazyPart(() => import("./new-order/new-order.tsx"), "NewOrder");

const SEARCH_PAUSE_MS = 250;
const COLUMN_STEP_MS = 10_000;

export const OrdersPage = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  usePageTitle(t("board.title"));
  useWakeLock();
  const board = useBoard(venue);
  return (
    <div className="board-page">
      <NotCurrentBar queryKey={["board", venue]} zone={board.data?.zone} />
      {board.data ? (
        <BoardOfVenue key={venue} venue={venue} board={board.data} />
      ) : board.error ? (
        <div className="board">
          <Title order={1} mb="md">
            {t("board.title")}
          </Title>
          <ErrorAlert error={board.error} onRetry={() => void board.refetch()} />
        </div>
      ) : (
        <BoardSkeleton />
      )}
    </div>
  );
};

const BoardSkeleton = () => {
  const { t } = useTranslation();
  return (
    <div className="board" role="status" aria-label={t("common.loading")}>
      <Skeleton height={40} mb="md" />
      <div className="board-columns">
        {["new", "kitchen", "ready"].map((column) => (
          <Skeleton key={column} height={360} radius="lg" />
        ))}
      </div>
    </div>
  );
};

/** The branch is chosen for each device: a screen stands in one place. */
const useBranch = (venue: string, board: BoardState): [string, (branch: string) => void] => {
  const key = `comanda.orders.branch.${venue}`;
  const [branch, setBranch] = useState(() => readStored(key) ?? "");
  const isKnown = board.branches.length > 1 && board.branches.some(({ id }) => String(id) === branch);
  const choose = (chosen: string): void => {
    setBranch(chosen);
    writeStored(key, chosen);
  };
  return [isKnown ? branch : "", choose];
};

const isWaiting = (orders: readonly BoardOrder[], now: number): boolean =>
  orders.some((order) => order.order.status === "placed" && !isHeld(order, now));

type BoardActionsInput = OrderActions & { columns: Record<BoardColumn, BoardOrder[]>; selection: OrderSelection };

/** After a move the keys and the focus go on with the next card of the column. */
const useActions = ({ columns, selection, move, open, print, addRound }: BoardActionsInput): OrderActions => {
  const shown = useRef(columns);
  shown.current = columns;
  return useMemo(
    () => ({
      move(order, status, why) {
        const column = Object.values(shown.current).find((orders) => orders.includes(order)) ?? [];
        move(order, status, why);
        leaveOrder(
          selection,
          column.map((one) => one.order.id),
          order.order.id,
        );
      },
      open,
      print,
      addRound,
    }),
    [selection, move, open, print, addRound],
  );
};

/** The order that is being taken. It stays as far as it was typed while its dialog is closed. */
const useTaking = () => {
  const [isTaking, setIsTaking] = useState(false);
  const [draft, setDraft] = useState<OrderDraft | null>(null);
  const [tableCode, setTableCode] = useState<string | null>(null);
  const begin = useCallback((): void => setIsTaking(true), []);
  const addRound = useCallback((code: string): void => {
    setTableCode(code);
    // An order that was begun for another guest stays as it is.
    setDraft((known) => (known && (known.sent || known.lines.length > 0) ? known : null));
    setIsTaking(true);
  }, []);
  const onClose = (): void => {
    setIsTaking(false);
    setTableCode(null);
  };
  return { begin, addRound, order: isTaking ? { draft, onDraft: setDraft, tableCode, onClose } : null };
};

const BoardOfVenue = ({ venue, board }: { venue: string; board: BoardState }) => {
  const moves = useOrderMoves(venue);
  const { shown, waiting, waitingIds, sendingIds } = moves.unconfirmed;
  const [branch, setBranch] = useBranch(venue, board);
  const [search, setSearch] = useState("");
  const [dialog, setDialog] = useState<OrderDialog | null>(null);
  const taking = useTaking();
  const [selection] = useState(createSelection);
  const canPause = useRole() !== "staff";
  const [isPausing, setPausing] = useState(false);
  const { job, print } = usePrint();
  const searchField = useRef<HTMLInputElement>(null);
  const now = useClock(COLUMN_STEP_MS) + board.clockAheadMs;
  const orders = useMemo(
    () => withChosenStatuses(board.orders, shown).filter(({ order }) => isInBranch(order.branch_id, branch)),
    [board.orders, shown, branch],
  );
  const columns = useMemo(() => sortIntoColumns(orders, now, board.zone), [orders, now, board.zone]);
  const actions = useActions({ columns, selection, move: moves.move, open: setDialog, print, addRound: taking.addRound });
  const context = useMemo(
    () => ({
      ...actions,
      selection,
      zone: board.zone,
      clockAheadMs: board.clockAheadMs,
      branches: branch === "" && board.branches.length > 1 ? board.branches : [],
    }),
    [actions, selection, board.zone, board.clockAheadMs, board.branches, branch],
  );
  const marks = useMemo(() => ({ sendingIds, waitingIds }), [sendingIds, waitingIds]);
  const inView = useMemo(() => [...columns.new, ...columns.kitchen, ...columns.ready], [columns]);
  const newest = moves.held.at(-1);
  // While search results are shown, the columns are hidden.
  const reachable = search.trim() === "" ? inView : [];
  useBoardKeys({
    orders: reachable,
    marks,
    selection,
    actions,
    onUndo: () => newest && moves.undo(newest.key),
    onNewOrder: taking.begin,
    searchField,
  });
  const [settledSearch] = useDebouncedValue(search.trim(), SEARCH_PAUSE_MS);
  const head = {
    onNewOrder: taking.begin,
    branches: board.branches,
    branch,
    onBranch: setBranch,
    search,
    onSearch: setSearch,
    searchField,
  };
  return (
    <BoardContext value={context}>
      <div className="board">
        <BoardHead {...head} isWaiting={isWaiting(orders, now)} onPause={canPause ? () => setPausing(true) : null} />
        <TypeChips venue={venue} types={board.orderTypes} canChange={canPause} />
        <WaitingBar moves={waiting} zone={board.zone} />
        <FailedMessages />
        {search.trim() !== "" && settledSearch !== "" ? (
          <FoundOrders search={settledSearch} marks={marks} shown={shown} onClear={() => setSearch("")} />
        ) : (
          <Columns board={board} columns={columns} branch={branch} marks={marks} />
        )}
      </div>
      <UndoBar moves={moves.held} onUndo={moves.undo} />
      <OrderTypesDialog venue={venue} types={board.orderTypes} isOpen={isPausing} onClose={() => setPausing(false)} />
      <OrderDialogs venue={venue} dialog={dialog} orders={board.orders} shown={shown} onClose={() => setDialog(null)} />
      <Suspense fallback={null}>{taking.order && <NewOrder venue={venue} {...taking.order} />}</Suspense>
      <PrintArea job={job} />
    </BoardContext>
  );
};

type ColumnsProps = {
  board: BoardState;
  columns: Record<BoardColumn, BoardOrder[]>;
  branch: string;
  marks: Parameters<typeof BoardColumns>[0]["marks"];
};

/** A dialog or a search leaves them as they are. */
const Columns = memo(({ board, columns, branch, marks }: ColumnsProps) => {
  const { t } = useTranslation();
  const isEmpty = columns.new.length + columns.kitchen.length + columns.ready.length === 0;
  return (
    <>
      {board.isCut && (
        <Alert color="orange" icon={<WarningIcon />} mb="md">
          {t("board.cut")}
        </Alert>
      )}
      {isEmpty ? (
        <EmptyState icon={<ReceiptIcon size={28} />} title={t("board.emptyTitle")}>
          <Text c="dimmed" maw={440}>
            {t("board.emptyLead")}
          </Text>
        </EmptyState>
      ) : (
        <BoardColumns columns={columns} marks={marks} />
      )}
      <div className="board-folds">
        <LaterOrders orders={columns.later} marks={marks} />
        <DoneOrders branch={branch} marks={marks} />
      </div>
      <Text size="sm" c="dimmed" className="board-clock">
        {t("board.clock", { zone: board.zone.replaceAll("_", " ") })}
      </Text>
    </>
  );
});
