/** How many moves wait for the connection, since when, and for which orders. A completed order has no card that could say so. */
import { useTranslation } from "react-i18next";
import { ClockIcon } from "#kit/icons.tsx";
import { formatClock } from "#kit/venue-time.ts";
import type { QueuedMove } from "#offline/queued-moves.ts";

const NAMES_MAX = 12;

export const WaitingBar = ({ moves, zone }: { moves: readonly QueuedMove[]; zone: string }) => {
  const { t } = useTranslation();
  const [first] = moves;
  const names = [...new Set(moves.map(({ name }) => name))];
  return (
    <div role="status">
      {first && (
        <p className="waiting-bar">
          <ClockIcon size={20} />
          <span>
            <b>{t("waiting.bar", { count: moves.length })}</b>{" "}
            <span className="figures">{t("waiting.since", { time: formatClock(first.at, zone) })}</span>{" "}
            <bdi className="waiting-names figures">
              {names.slice(0, NAMES_MAX).join(" ")}
              {names.length > NAMES_MAX && " …"}
            </bdi>
          </span>
        </p>
      )}
    </div>
  );
};
