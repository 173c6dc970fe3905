import type { DeliveryDetail } from "@comanda/contract/console-webhooks.ts";
import { useDirection } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { numberLocale } from "../../texts/language.ts";
import { writeSpan } from "../../ui/figures.ts";
import { exactMoment } from "../../ui/time.tsx";
import { LINE_HEIGHT, type Line, retryLines, STEP_SECONDS, type Stop, type StopKind, stretchesOf } from "./retry-line.ts";

/** Where the stops stand in a line; what it is called is above, when and after how long below. */
const MIDDLE = 34;

export const RetryLine = ({ delivery }: { delivery: DeliveryDetail }) => {
  const { t } = useTranslation();
  const { dir } = useDirection();
  const { ref, width } = useElementSize();
  const lines = retryLines(delivery, Math.max(width, 300), dir === "rtl");
  const summary = lines
    .flatMap(({ stops }) => stops)
    .filter(({ kind }) => kind !== "unused" && kind !== "later")
    .map(({ attempt, kind }) => t("delivery.stop", { attempt, kind: t(`delivery.kinds.${kind}`) }))
    .join("; ");
  return (
    <div ref={ref} className="retry-lines">
      {width > 0 && (
        <svg width={width} height={lines.length * LINE_HEIGHT} role="img" aria-label={t("delivery.lineLabel", { summary })}>
          {lines.map((line) => (
            <OneLine key={line.cycle} line={line} isNamed={lines.length > 1} isRtl={dir === "rtl"} />
          ))}
        </svg>
      )}
    </div>
  );
};

const OneLine = ({ line, isNamed, isRtl }: { line: Line; isNamed: boolean; isRtl: boolean }) => {
  const { t } = useTranslation();
  const start = line.stops[0]?.x ?? 0;
  return (
    <g transform={`translate(0 ${line.y})`}>
      {isNamed && (
        <text x={isRtl ? start + 10 : start - 10} y={12} className="line-name" textAnchor="start">
          {line.cycle === 1 ? t("delivery.first") : t("delivery.replayNumber", { number: line.cycle - 1 })}
        </text>
      )}
      {stretchesOf(line).map(({ from, to, isDashed }) => (
        <line key={to} x1={from} x2={to} y1={MIDDLE} y2={MIDDLE} className={isDashed ? "stretch dashed" : "stretch"} />
      ))}
      {line.stops.map((stop) => (
        <StopMark key={stop.attempt} stop={stop} />
      ))}
    </g>
  );
};

const SHAPES: Record<StopKind, ReactNode> = {
  good: (
    <>
      <circle r="9" className="stop-good" />
      <path d="m-4 .300 2.800 2.800 5.200-5.600" className="stop-sign" />
    </>
  ),
  bad: (
    <>
      <path d="M0-10.500 10.500 0 0 10.500-10.500 0z" className="stop-bad" />
      <path d="m-3-3 6 6m0-6-6 6" className="stop-sign" />
    </>
  ),
  next: (
    <>
      <circle r="8.5" className="stop-next" />
      <circle r="3" className="stop-dot" />
    </>
  ),
  later: <circle r="6.5" className="stop-later" />,
  held: (
    <>
      <rect x="-8.500" y="-8.500" width="17" height="17" rx="4" className="stop-next" />
      <path d="M-2.500-3.500v7m5-7v7" className="stop-hand" />
    </>
  ),
  unused: <circle r="2.5" className="stop-unused" />,
};

const timeOf = (at: string): string =>
  new Intl.DateTimeFormat(numberLocale(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(at));

const StopMark = ({ stop: { attempt, kind, at, status, x } }: { stop: Stop }) => {
  const { t } = useTranslation();
  const isOver = kind === "good" || kind === "bad";
  const below = isOver ? (status ?? t("delivery.noStatus")) : at === null ? "" : timeOf(at);
  const step = STEP_SECONDS[attempt - 1] ?? 0;
  return (
    <g transform={`translate(${x} ${MIDDLE})`} className={`stop stop-is-${kind}`}>
      <title>
        {t("delivery.stop", { attempt, kind: t(`delivery.kinds.${kind}`) })}
        {at === null ? "" : ` · ${exactMoment(at)}`}
      </title>
      {SHAPES[kind]}
      <text y={24} className="stop-step">
        {step === 0 ? t("delivery.atOnce") : t("delivery.after", { span: writeSpan(step) })}
      </text>
      {kind !== "unused" && below !== "" && (
        <text y={38} className="stop-below">
          {below}
        </text>
      )}
    </g>
  );
};
