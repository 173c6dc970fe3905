/** Pause or busy for each type that the venue offers. The frequent choices are one tap, the others one more. */
import type { LoadChoice, OrderTypeState } from "@comanda/contract/console/order-types.ts";
import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useClock } from "#kit/clock.ts";
import { Dialog, useReturnFocus } from "#kit/dialog.tsx";
import { formatClock } from "#kit/venue-time.ts";
import { useBoardContext } from "../order-actions.ts";
import { endIn, runningAt, useLoadText } from "./load-times.ts";
import { useSetOrderType } from "./set-order-type.ts";

const OTHERS = ["pause_15", "pause_60", "pause_today", "busy_20"] as const;
const CLOCK_STEP_MS = 10_000;
const [PAUSE_MINUTES, BUSY_MINUTES] = [30, 60];

type OrderTypesDialogProps = { venue: string; types: readonly OrderTypeState[]; isOpen: boolean; onClose: () => void };

export const OrderTypesDialog = ({ venue, types, isOpen, onClose }: OrderTypesDialogProps) => {
  const { t } = useTranslation();
  useReturnFocus(isOpen);
  const { set, isPending } = useSetOrderType(venue);
  const choose = (state: OrderTypeState, to: LoadChoice): void => {
    set(state, to);
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t("pause.title")} size="lg">
      <Stack gap="lg">
        {types.map((state) => (
          <TypeRow key={state.type} state={state} isPending={isPending} onChoose={choose} />
        ))}
        <section className="pause-guests" aria-labelledby="pause-guests">
          <h3 id="pause-guests">{t("pause.guests")}</h3>
          <Text size="sm">{t("pause.guestsPaused")}</Text>
          <Text size="sm">{t("pause.guestsBusy")}</Text>
          <Text size="sm">{t("pause.endsItself")}</Text>
        </section>
      </Stack>
    </Dialog>
  );
};

type TypeRowProps = { state: OrderTypeState; isPending: boolean; onChoose: (state: OrderTypeState, to: LoadChoice) => void };

const TypeRow = ({ state, isPending, onChoose }: TypeRowProps) => {
  const { t } = useTranslation();
  const { zone, clockAheadMs } = useBoardContext();
  const now = useClock(CLOCK_STEP_MS) + clockAheadMs;
  const describe = useLoadText();
  const [areOthersShown, setOthersShown] = useState(false);
  const running = runningAt(state, now);
  const type = t(`order.types.${state.type}`);
  const until = (minutes: number): string => t("pause.until", { time: formatClock(endIn(now, minutes), zone) });
  const choose = (to: LoadChoice) => () => onChoose(state, to);
  const isRunning = running.paused_until !== null || running.busy_until !== null;
  return (
    <section className="pause-type" aria-label={type}>
      <div className="pause-type-head">
        <h3>{type}</h3>
        <span className={isRunning ? "pause-state figures bad" : "pause-state figures"}>{describe(running)}</span>
      </div>
      <div className="pause-choices">
        {running.paused_until === null ? (
          <Choice type={type} label={t("pause.pause30")} detail={until(PAUSE_MINUTES)} isPending={isPending} onClick={choose("pause_30")} />
        ) : (
          <Choice type={type} label={t("pause.endPause")} isPending={isPending} onClick={choose("end_pause")} />
        )}
        {running.busy_until === null ? (
          <Choice type={type} label={t("pause.busy10")} detail={until(BUSY_MINUTES)} isPending={isPending} onClick={choose("busy_10")} />
        ) : (
          <Choice type={type} label={t("pause.endBusy")} isPending={isPending} onClick={choose("end_busy")} />
        )}
        {!areOthersShown && (
          <Button variant="subtle" className="service-target" aria-label={t("pause.moreOf", { type })} onClick={() => setOthersShown(true)}>
            {t("pause.more")}
          </Button>
        )}
      </div>
      {areOthersShown && (
        <div className="pause-others">
          {OTHERS.map((to) => (
            <Choice key={to} type={type} label={t(`pause.choices.${to}`)} isPending={isPending} onClick={choose(to)} />
          ))}
        </div>
      )}
    </section>
  );
};

type ChoiceProps = { type: string; label: string; detail?: string; isPending: boolean; onClick: () => void };

const Choice = ({ type, label, detail, isPending, onClick }: ChoiceProps) => {
  const shown = detail === undefined ? label : `${label} ${detail}`;
  return (
    <Button variant="default" className="pause-choice" aria-label={`${type}: ${shown}`} disabled={isPending} onClick={onClick}>
      <span className="figures">
        {label} {detail !== undefined && <span className="pause-detail">{detail}</span>}
      </span>
    </Button>
  );
};
