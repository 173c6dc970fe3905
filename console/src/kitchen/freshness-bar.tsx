/** Says when the display is not current, over the full width, and what waits to be sent. */
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { WarningIcon } from "#kit/icons.tsx";
import { formatDuration } from "#kit/number-format.ts";
import { formatClockSeconds } from "#kit/venue-time.ts";
import { freshnessOf } from "./freshness.ts";
import { readConfirmedMs } from "./kitchen-query.ts";
import { readSilenceMs } from "./screen-stream.ts";

type BarProps = { clockAheadMs: number; copiedAt: number | undefined; zone: string; waiting: number };

export const FreshnessBar = ({ clockAheadMs, copiedAt, zone, waiting }: BarProps) => {
  const { t } = useTranslation();
  const now = useOfClock((at) => at);
  const copiedMs = copiedAt === undefined ? undefined : Math.max(0, now - copiedAt);
  const { state, ageMs, isPolled } = freshnessOf({ silentMs: readSilenceMs(), confirmedMs: readConfirmedMs(), copiedMs });
  const time = formatClockSeconds(now - ageMs + clockAheadMs, zone);
  const age = formatDuration(Math.floor(ageMs / 1000));
  const queue = waiting > 0 && <span role="status">{t("kitchen.queue", { count: waiting })}</span>;
  if (state === "current") return queue && <div className="kd-bar kd-bar-late">{queue}</div>;
  const sentence = state === "late" ? t("kitchen.amber", { time }) : t(isPolled ? "kitchen.redPolled" : "kitchen.red", { time, age });
  return (
    <div className={`kd-bar kd-bar-${state}`}>
      <WarningIcon size={32} />
      {/* Announced once: the age changes every second. */}
      <span className="figures" role="alert" aria-live={state === "lost" ? "assertive" : "polite"} aria-atomic="false">
        {sentence}
      </span>
      {queue}
    </div>
  );
};
