/** The foot of the display: pages, the undo of the last bump, and toasts. */
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { ForwardIcon, NoIcon, UndoIcon } from "#kit/icons.tsx";
import { useTicketNames } from "./kitchen-actions.ts";
import type { BumpedTicket } from "./use-kitchen-actions.ts";
import type { KitchenToast } from "./use-kitchen-toasts.ts";

type FootProps = {
  pages: { page: number; pages: number; onTurn: (step: 1 | -1) => void };
  bumped: BumpedTicket | null;
  onUndo: (bumped: BumpedTicket) => void;
  toasts: { toasts: readonly KitchenToast[]; remove: (id: number) => void };
};

const UndoBump = ({ bumped, onUndo }: { bumped: BumpedTicket; onUndo: () => void }) => {
  const { t } = useTranslation();
  const { nameOf } = useTicketNames();
  const isOver = useOfClock((now) => now >= bumped.undoUntil);
  const name = nameOf(bumped.ticket);
  if (isOver) return null;
  return (
    <button type="button" className="kd-button kd-undo" onClick={onUndo}>
      <UndoIcon size={28} />
      <span>
        {t("kitchen.bumped", { name })} · <b>{t("kitchen.undo")}</b>
      </span>
    </button>
  );
};

const Toasts = ({ toasts, remove }: FootProps["toasts"]) => {
  const { t } = useTranslation();
  return (
    <div className="kd-notes" role="status">
      {toasts.map(({ id, text }) => (
        <div key={id} className="kd-toast">
          <span>{text}</span>
          <button type="button" className="kd-button" aria-label={t("kitchen.close")} onClick={() => remove(id)}>
            <NoIcon size={28} />
          </button>
        </div>
      ))}
    </div>
  );
};

export const DisplayFoot = ({ pages: { page, pages, onTurn }, bumped, onUndo, toasts }: FootProps) => {
  const { t } = useTranslation();
  return (
    <footer className="kd-foot">
      <Toasts {...toasts} />
      <div className="kd-foot-undo" aria-live="polite">
        {bumped && <UndoBump key={bumped.undoUntil} bumped={bumped} onUndo={() => onUndo(bumped)} />}
      </div>
      {pages > 1 && (
        <nav className="kd-pages" aria-label={t("kitchen.pages")}>
          <button type="button" className="kd-button" disabled={page === 0} onClick={() => onTurn(-1)}>
            <span className="kd-turned">
              <ForwardIcon size={32} />
            </span>
            {t("kitchen.previousPage")}
          </button>
          <b className="kd-page figures" aria-live="polite">
            {t("kitchen.page", { page: page + 1, pages })}
          </b>
          <button type="button" className="kd-button" disabled={page >= pages - 1} onClick={() => onTurn(1)}>
            {t("kitchen.nextPage")}
            <ForwardIcon size={32} />
          </button>
        </nav>
      )}
    </footer>
  );
};
