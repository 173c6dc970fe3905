/** The display once the kitchen is known: tickets, counts, keys and dialogs. */
import type { KitchenTicket, MissingParts } from "@comanda/contract/console/kitchen.ts";
import { type MouseEvent, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { WarningIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import type { DayCount } from "./day-counts.ts";
import { dayCounts } from "./day-counts.ts";
import { DisplayFoot } from "./display-foot.tsx";
import { DisplayHead } from "./display-head.tsx";
import type { DisplayLook } from "./display-look.ts";
import { FreshnessBar } from "./freshness-bar.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { KitchenContext } from "./kitchen-actions.ts";
import type { KitchenState } from "./kitchen-state.ts";
import { RecallPanel } from "./recall-panel.tsx";
import { applyQueued, isShown } from "./ticket-changes.ts";
import { arrangeTickets } from "./ticket-order.ts";
import { TicketSheet } from "./ticket-sheet.tsx";
import { useTicketSound } from "./ticket-sound.ts";
import { TicketWall, useTicketPages } from "./ticket-wall.tsx";
import { useBumpKeys, useKeyBindings } from "./use-bump-keys.ts";
import { useKitchenActions } from "./use-kitchen-actions.ts";
import { useKitchenToasts } from "./use-kitchen-toasts.ts";
import { useQueueEvents } from "./use-queue-events.ts";
import { useQueuedChanges, useTicketQueue } from "./use-ticket-queue.ts";
import { useWallKeys } from "./use-wall-keys.ts";

/** What is to be cooked over all tickets. A tap lights the tickets that hold the dish. */
type SideProps = { counts: readonly DayCount[]; litKey: string | null; onLight: (key: string | null) => void };

const DayCountsSide = ({ counts, litKey, onLight }: SideProps) => {
  const { t } = useTranslation();
  const nameOf = useLocalizedName();
  return (
    <aside className="kd-side" aria-label={t("kitchen.counts")}>
      <h2>{t("kitchen.counts")}</h2>
      {counts.length === 0 && <p className="kd-quiet">{t("kitchen.countsNone")}</p>}
      <ul className="kd-counts">
        {counts.map(({ key, line, total }) => (
          <li key={key}>
            <button type="button" className="kd-count" aria-pressed={litKey === key} onClick={() => onLight(litKey === key ? null : key)}>
              <b className="kd-quantity figures">{total}</b>
              <span>
                {nameOf(line.name)}
                {line.variant_name && <span className="kd-size"> {nameOf(line.variant_name)}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </aside>
  );
};

/** Says that the venue no longer has what the screen is set to: the display is current, and still new tickets do not appear on it. */
const MissingBar = ({ missing: { stations, is_branch_missing: isBranchMissing } }: { missing: MissingParts }) => {
  const { t } = useTranslation();
  if (stations.length === 0 && !isBranchMissing) return null;
  return (
    <div className="kd-bar kd-bar-lost">
      <WarningIcon size={32} />
      <span role="alert">
        {isBranchMissing && <span>{t("kitchen.branchMissing")} </span>}
        {stations.length > 0 && (
          <span>
            {t("kitchen.stationsMissing", { count: stations.length })} <bdi>{stations.join(" · ")}</bdi>.{" "}
          </span>
        )}
        <span>{t("kitchen.changeScreen")}</span>
      </span>
    </div>
  );
};

type OpenDialog = "recall" | "keys" | { sheet: number } | null;
type DisplayPageProps = {
  kitchen: KitchenState;
  look: { look: DisplayLook; toggle: () => void };
  onEnded: () => void;
};

/** What is shown: the tickets of the service with the changes that wait. */
const useShownTickets = (kitchen: KitchenState, queued: Parameters<typeof applyQueued>[1]) => {
  const { tickets, screen } = kitchen;
  const all = useMemo(() => applyQueued(tickets, queued), [tickets, queued]);
  const { stations } = screen;
  const shown = useMemo(() => arrangeTickets(all.filter(isShown), stations), [all, stations]);
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);
  const counts = useMemo(() => dayCounts(shown), [shown]);
  return { shown, ids, counts };
};

/** A tap leaves the focus on its button, where the next Enter of a bump bar would press it again. */
const dropFocus = ({ detail, target }: MouseEvent): void => {
  const isInDialog = target instanceof Element && target.closest("dialog") !== null;
  if (detail > 0 && !isInDialog && document.activeElement instanceof HTMLElement) document.activeElement.blur();
};

const useWork = ({ kitchen, onEnded }: DisplayPageProps) => {
  const toasts = useKitchenToasts();
  const onEvent = useQueueEvents(toasts.add, onEnded);
  const queue = useTicketQueue(kitchen.screen.id, kitchen.copiedAt === undefined, onEvent);
  const { moves: queued, waitingKeys } = useQueuedChanges(queue);
  const waitingIds = useMemo(
    () => new Set(queued.filter(({ key }) => waitingKeys.has(key)).map(({ ticketId }) => ticketId)),
    [queued, waitingKeys],
  );
  return { toasts, queue, queued, waitingIds, waiting: waitingKeys.size };
};

export const DisplayPage = (props: DisplayPageProps) => {
  const { kitchen, look, onEnded } = props;
  const { screen, zone, clockAheadMs, copiedAt, branches } = kitchen;
  const { toasts, queue, queued, waitingIds, waiting } = useWork(props);
  const { shown, ids, counts } = useShownTickets(kitchen, queued);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const openSheet = useCallback(({ id }: KitchenTicket) => setDialog({ sheet: id }), []);
  const { actions, bumps } = useKitchenActions({ queue, screenId: screen.id, openSheet });
  const [litKey, setLitKey] = useState<string | null>(null);
  const [wantedPage, setPage] = useState(0);
  const isExpo = screen.stations.length === 0;
  const { wall, pages, page, columns } = useTicketPages(shown, wantedPage, isExpo);
  const [bindings, setBindings] = useKeyBindings();
  const openRecall = (): void => setDialog("recall");
  const keys = useWallKeys({ pages, page, setPage, actions, bumps, openRecall });
  useBumpKeys(bindings, dialog === null, keys.onAction);
  const sound = useTicketSound(ids, screen.has_sound);
  const context = useMemo(() => ({ actions, zone, clockAheadMs, isExpo, branches }), [actions, zone, clockAheadMs, isExpo, branches]);
  const isLit = counts.some(({ key }) => key === litKey);
  const closeDialog = (): void => setDialog(null);
  const sheetTicket = typeof dialog === "object" ? shown.find(({ id }) => id === dialog?.sheet) : undefined;
  return (
    <KitchenContext value={context}>
      {/** biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it only takes the focus off a tapped button. */}
      <div className="kd-page-grid" onClick={dropFocus}>
        <DisplayHead screen={screen} openCount={shown.length} sound={sound} look={look} onOpen={setDialog} />
        <div className="kd-bars">
          <FreshnessBar clockAheadMs={clockAheadMs} copiedAt={copiedAt} zone={zone} waiting={waiting} />
          <MissingBar missing={kitchen.missing} />
          {kitchen.is_cut && <CutBar />}
        </div>
        <TicketWall
          wall={wall}
          page={pages[page] ?? []}
          columns={columns}
          selectedId={keys.selectedId}
          waitingIds={waitingIds}
          litKey={isLit ? litKey : null}
          isExpo={isExpo}
        />
        <DayCountsSide counts={counts} litKey={isLit ? litKey : null} onLight={setLitKey} />
        <DisplayFoot
          pages={{ page, pages: pages.length, onTurn: (step) => setPage(page + step) }}
          bumped={bumps[0] ?? null}
          onUndo={({ ticket }) => actions.recall(ticket)}
          toasts={toasts}
        />
      </div>
      {dialog === "recall" && <RecallPanel queued={queued} shown={shown} onClose={closeDialog} />}
      {dialog === "keys" && <KeysDialog bindings={bindings} onChange={setBindings} onClose={closeDialog} />}
      {sheetTicket && <TicketSheet ticket={sheetTicket} onToast={toasts.add} onEnded={onEnded} onClose={closeDialog} />}
    </KitchenContext>
  );
};

const CutBar = () => {
  const { t } = useTranslation();
  return (
    <div className="kd-bar kd-bar-late" role="status">
      {t("kitchen.cut")}
    </div>
  );
};
