/** Says whether the page is current: when the change stream last spoke, and a bar over the full width when that is long ago. */
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { readHeardAge } from "../change-stream.ts";
import { useBodyMark } from "./body-mark.ts";
import { useClock } from "./clock.ts";
import { WarningIcon } from "./icons.tsx";
import { formatDuration } from "./number-format.ts";
import { formatClockSeconds } from "./venue-time.ts";

/** The server beats every two seconds. */
const LATE_MS = 5000;
const LOST_MS = 15_000;

type PulseState = "current" | "late" | "lost";

/** While the board cannot be read, the page is as old as its last reading, whatever the stream says. A kept board is never current. */
const usePulse = (venue: string): { state: PulseState; heardAt: number; ageSeconds: number } => {
  const now = useClock();
  const board = useQueryClient().getQueryState<{ copiedAt?: number }>(["board", venue]);
  const copiedAt = board?.data?.copiedAt;
  if (copiedAt !== undefined) return { state: "lost", heardAt: copiedAt, ageSeconds: Math.max(0, Math.floor((now - copiedAt) / 1000)) };
  const isUnread = board !== undefined && board.dataUpdatedAt > 0 && (board.status === "error" || board.fetchFailureCount > 0);
  const ageMs = isUnread ? Math.max(readHeardAge(), now - board.dataUpdatedAt) : readHeardAge();
  const state = ageMs >= LOST_MS ? "lost" : ageMs >= LATE_MS ? "late" : "current";
  return { state, heardAt: now - ageMs, ageSeconds: Math.floor(ageMs / 1000) };
};

/** The venue's time zone, once the orders board has been read. Without it no time is shown: the device's clock may be in another zone. */
const useZone = (venue: string): string | undefined => useQueryClient().getQueryData<{ zone: string }>(["board", venue])?.zone;

export const Pulse = ({ venue }: { venue: string }) => {
  const { t } = useTranslation();
  const { state, heardAt } = usePulse(venue);
  const zone = useZone(venue);
  return (
    <span className={`pulse pulse-${state}`} title={t(`pulse.${state}`)}>
      <span className="pulse-dot" aria-hidden="true" />
      <span className="pulse-state">{t(`pulse.${state}`)}</span>
      {zone !== undefined && <span className="pulse-time figures">{t("pulse.asOf", { time: formatClockSeconds(heardAt, zone) })}</span>}
    </span>
  );
};

export const NotCurrentBar = ({ venue }: { venue: string }) => {
  const { t } = useTranslation();
  const { state, heardAt, ageSeconds } = usePulse(venue);
  const zone = useZone(venue);
  useBodyMark("notCurrent", state === "lost");
  if (state !== "lost") return null;
  return (
    <div className="not-current">
      <WarningIcon size={20} />
      <span>
        {/* Announced once: the age beside it changes every second. */}
        <b role="alert">{t("pulse.notCurrent")}</b>{" "}
        <span className="figures">{t("pulse.age", { age: formatDuration(ageSeconds), time: formatClockSeconds(heardAt, zone) })}</span>
      </span>
    </div>
  );
};
