/** What is paused or busy, at the head of the board. Managers end it with one tap. */
import type { LoadChoice, OrderTypeState } from "@comanda/contract/console/order-types.ts";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useClock } from "#kit/clock.ts";
import { ClockIcon, PauseIcon } from "#kit/icons.tsx";
import { formatClock } from "#kit/venue-time.ts";
import { useBoardContext } from "../order-actions.ts";
import { runningAt } from "./load-times.ts";
import { useSetOrderType } from "./set-order-type.ts";

type TypeChipsProps = { venue: string; types: readonly OrderTypeState[]; canChange: boolean };

export const TypeChips = ({ venue, types, canChange }: TypeChipsProps) => {
  const { t } = useTranslation();
  const { clockAheadMs } = useBoardContext();
  const now = useClock() + clockAheadMs;
  const { set, isPending } = useSetOrderType(venue);
  const running = types.map((state) => runningAt(state, now)).filter((state) => state.paused_until !== null || state.busy_until !== null);
  const end = (state: OrderTypeState, to: LoadChoice) => (canChange ? { isPending, onEnd: () => set(state, to) } : null);
  return (
    <div className="type-chips" role="status" aria-label={t("pause.chips")}>
      {running.map((state) => (
        <ChipsOf key={state.type} state={state} endPause={end(state, "end_pause")} endBusy={end(state, "end_busy")} />
      ))}
    </div>
  );
};

type ChipEnd = { isPending: boolean; onEnd: () => void } | null;

const ChipsOf = ({ state, endPause, endBusy }: { state: OrderTypeState; endPause: ChipEnd; endBusy: ChipEnd }) => {
  const { t } = useTranslation();
  const { zone } = useBoardContext();
  const type = t(`order.types.${state.type}`);
  return (
    <>
      {state.paused_until !== null && (
        <Chip kind="paused" icon={<PauseIcon />} end={endPause} endLabel={t("pause.endPauseOf", { type })}>
          {t("pause.chipPaused", { type, time: formatClock(state.paused_until, zone) })}
        </Chip>
      )}
      {state.busy_until !== null && (
        <Chip kind="busy" icon={<ClockIcon />} end={endBusy} endLabel={t("pause.endBusyOf", { type })}>
          {t("pause.chipBusy", { type, minutes: state.extra_minutes, time: formatClock(state.busy_until, zone) })}
        </Chip>
      )}
    </>
  );
};

type ChipProps = { kind: "paused" | "busy"; icon: ReactNode; end: ChipEnd; endLabel: string; children: ReactNode };

const Chip = ({ kind, icon, end, endLabel, children }: ChipProps) => {
  const { t } = useTranslation();
  return (
    <span className={`type-chip type-${kind}`}>
      {icon}
      <span className="grow figures">{children}</span>
      {end && (
        <Button variant="default" className="service-target" aria-label={endLabel} disabled={end.isPending} onClick={end.onEnd}>
          {t("pause.end")}
        </Button>
      )}
    </span>
  );
};
