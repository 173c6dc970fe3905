import type { DeliveryDetail } from "@comanda/contract/console/webhooks.ts";
import { useDirection } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { numberLocale } from "#kit/language.ts";
import { formatDuration } from "#kit/number-format.ts";
import { formatDateTime } from "#kit/relative-time.tsx";
import {
  type AttemptPoint,
  type AttemptPointKind,
  CYCLE_HEIGHT,
  connectorsOf,
  type RetryCycle,
  retryCycles,
  STEP_SECONDS,
} from "./retry-timeline.ts";

/** The y position of the points in a row: the row's name is above, delay and time are below. */
const MIDDLE = 34;

export const RetryTimeline = ({ delivery }: { delivery: DeliveryDetail }) => {
  const { t } = useTranslation();
  const { dir } = useDirection();
  const { ref, width } = useElementSize();
  const cycles = retryCycles(delivery, Math.max(width, 300), dir === "rtl");
  const summary = cycles
    .flatMap(({ points }) => points)
    .filter(({ kind }) => kind !== "unused" && kind !== "later")
    .map(({ attempt, kind }) => t("delivery.stop", { attempt, kind: t(`delivery.kinds.${kind}`) }))
    .join("; ");
  return (
    <div ref={ref} className="retry-timeline">
      {width > 0 && (
        <svg width={width} height={cycles.length * CYCLE_HEIGHT} role="img" aria-label={t("delivery.lineLabel", { summary })}>
          {cycles.map((cycle) => (
            <CycleRow key={cycle.cycle} cycle={cycle} isNamed={cycles.length > 1} isRtl={dir === "rtl"} />
          ))}
        </svg>
      )}
    </div>
  );
};

const CycleRow = ({ cycle, isNamed, isRtl }: { cycle: RetryCycle; isNamed: boolean; isRtl: boolean }) => {
  const { t } = useTranslation();
  const start = cycle.points[0]?.x ?? 0;
  return (
    <g transform={`translate(0 ${cycle.y})`}>
      {isNamed && (
        <text x={isRtl ? start + 10 : start - 10} y={12} className="cycle-name" textAnchor="start">
          {cycle.cycle === 1 ? t("delivery.first") : t("delivery.replayNumber", { number: cycle.cycle - 1 })}
        </text>
      )}
      {connectorsOf(cycle).map(({ from, to, isDashed }) => (
        <line key={to} x1={from} x2={to} y1={MIDDLE} y2={MIDDLE} className={isDashed ? "connector dashed" : "connector"} />
      ))}
      {cycle.points.map((point) => (
        <AttemptMark key={point.attempt} point={point} />
      ))}
    </g>
  );
};

const SHAPES: Record<AttemptPointKind, ReactNode> = {
  good: (
    <>
      <circle r="9" className="attempt-good" />
      <path d="m-4 .300 2.800 2.800 5.200-5.600" className="attempt-sign" />
    </>
  ),
  bad: (
    <>
      <path d="M0-10.500 10.500 0 0 10.500-10.500 0z" className="attempt-bad" />
      <path d="m-3-3 6 6m0-6-6 6" className="attempt-sign" />
    </>
  ),
  next: (
    <>
      <circle r="8.5" className="attempt-next" />
      <circle r="3" className="attempt-dot" />
    </>
  ),
  later: <circle r="6.5" className="attempt-later" />,
  held: (
    <>
      <rect x="-8.500" y="-8.500" width="17" height="17" rx="4" className="attempt-next" />
      <path d="M-2.500-3.500v7m5-7v7" className="attempt-hand" />
    </>
  ),
  unused: <circle r="2.5" className="attempt-unused" />,
};

const timeOf = (at: string): string =>
  new Intl.DateTimeFormat(numberLocale(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(at));

const AttemptMark = ({ point: { attempt, kind, at, status, x } }: { point: AttemptPoint }) => {
  const { t } = useTranslation();
  const isOver = kind === "good" || kind === "bad";
  const below = isOver ? (status ?? t("delivery.noStatus")) : at === null ? "" : timeOf(at);
  const step = STEP_SECONDS[attempt - 1] ?? 0;
  return (
    <g transform={`translate(${x} ${MIDDLE})`} className={`attempt-point attempt-is-${kind}`}>
      <title>
        {t("delivery.stop", { attempt, kind: t(`delivery.kinds.${kind}`) })}
        {at === null ? "" : ` · ${formatDateTime(at)}`}
      </title>
      {SHAPES[kind]}
      <text y={24} className="attempt-step">
        {step === 0 ? t("delivery.atOnce") : t("delivery.after", { span: formatDuration(step) })}
      </text>
      {kind !== "unused" && below !== "" && (
        <text y={38} className="attempt-below">
          {below}
        </text>
      )}
    </g>
  );
};
