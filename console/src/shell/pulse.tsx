/** Says whether the page is current: when the change stream last spoke, and a bar over the full width when that is long ago. */
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useBodyMark } from "#kit/body-mark.ts";
import { useClock } from "#kit/clock.ts";
import { WarningIcon } from "#kit/icons.tsx";
import { formatDuration } from "#kit/number-format.ts";
import { formatClockSeconds } from "#kit/venue-time.ts";
import { readHeardAge } from "./change-stream.ts";

/** The server beats every two seconds. */
const LATE_MS = 5000;
const LOST_MS = 15_000;

type PulseState = "current" | "late" | "lost";

/** While the page's data cannot be read, it is as old as its last reading, whatever the stream says. A kept copy is never current. */
const usePulse = (queryKey: QueryKey): { state: PulseState; heardAt: number; ageSeconds: number } => {
  const now = useClock();
  const read = useQueryClient().getQueryState<{ copiedAt?: number }>(queryKey);
  const copiedAt = read?.data?.copiedAt;
  if (copiedAt !== undefined) return { state: "lost", heardAt: copiedAt, ageSeconds: Math.max(0, Math.floor((now - copiedAt) / 1000)) };
  const isUnread = read !== undefined && read.dataUpdatedAt > 0 && (read.status === "error" || read.fetchFailureCount > 0);
  const ageMs = isUnread ? Math.max(readHeardAge(), now - read.dataUpdatedAt) : readHeardAge();
  const state = ageMs >= LOST_MS ? "lost" : ageMs >= LATE_MS ? "late" : "current";
  return { state, heardAt: now - ageMs, ageSeconds: Math.floor(ageMs / 1000) };
};

/** The venue's time zone, once the orders board has been read. Without it no time is shown: the device's clock may be in another zone. */
const useZone = (venue: string): string | undefined => useQueryClient().getQueryData<{ zone: string }>(["board", venue])?.zone;

export const Pulse = ({ venue }: { venue: string }) => {
  const { t } = useTranslation();
  const { state, heardAt } = usePulse(["board", venue]);
  const zone = useZone(venue);
  return (
    <span className={`pulse pulse-${state}`} title={t(`pulse.${state}`)}>
      <span className="pulse-dot" aria-hidden="true" />
      <span className="pulse-state">{t(`pulse.${state}`)}</span>
      {zone !== undefined && <span className="pulse-time figures">{t("pulse.asOf", { time: formatClockSeconds(heardAt, zone) })}</span>}
    </span>
  );
};

/** `queryKey` names what the page shows. */
export const NotCurrentBar = ({ queryKey, zone }: { queryKey: QueryKey; zone: string | undefined }) => {
  const { t } = useTranslation();
  const { state, heardAt, ageSeconds } = usePulse(queryKey);
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
