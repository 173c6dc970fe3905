/** One dish: its switch, the choices for selling it out, and its count. */

import type { DishChange, DishToday } from "@comanda/contract/console/menu-today.ts";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Form } from "#kit/form.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { nextTime } from "#kit/next-time.ts";
import { TimeField } from "#kit/time-field.tsx";
import { CountStepper } from "./count-stepper.tsx";
import { isSoldOut } from "./menu-filter.ts";
import { useSetDish } from "./menu-today-query.ts";
import { SellOutSwitch } from "./sell-out-switch.tsx";
import { formatEnd, useStateText } from "./state-text.ts";

/** The number with which a count begins. */
const FIRST_COUNT = 6;

export type TodayClock = { zone: string; endsAt: string };
type RowProps = { venue: string; clock: TodayClock; isOpen: boolean; onOpen: (isOpen: boolean) => void };

export const DishRow = ({ dish, venue, clock, isOpen, onOpen }: RowProps & { dish: DishToday }) => {
  const { t } = useTranslation();
  const name = useLocalizedName()(dish.name);
  const describe = useStateText();
  const { set, isPending } = useSetDish(venue);
  const isOut = isSoldOut(dish.state);
  const { remaining } = dish.state;
  const id = `dish-${dish.id}`;
  const choose = (change: Omit<DishChange, "seen">): void => {
    onOpen(false);
    set(dish, change);
  };
  return (
    <SellOutSwitch
      id={id}
      name={name}
      state={describe(dish.state, clock.zone)}
      isSoldOut={isOut}
      isOpen={isOpen}
      isPending={isPending}
      onToggle={() => (isOut ? choose({ to: "available" }) : onOpen(!isOpen))}
    >
      {remaining !== null && (
        <div className="today-counting">
          <CountStepper
            name={name}
            remaining={remaining}
            isPending={isPending}
            onChange={(left) => set(dish, { to: "count", remaining: left })}
          />
          {!isOut && (
            <Button
              variant="subtle"
              className="service-target"
              disabled={isPending}
              aria-label={t("menuToday.stopCountOf", { name })}
              onClick={() => choose({ to: "available" })}
            >
              {t("menuToday.stopCount")}
            </Button>
          )}
        </div>
      )}
      {isOpen && !isOut && <DishChoices id={id} name={name} clock={clock} isCounted={remaining !== null} onChoose={choose} />}
    </SellOutSwitch>
  );
};

type DishChoicesProps = {
  id: string;
  name: string;
  clock: TodayClock;
  isCounted: boolean;
  onChoose: (change: Omit<DishChange, "seen">) => void;
};

/** The first choice is the frequent one: two taps sell a dish out for today. */
const DishChoices = ({ id, name, clock, isCounted, onChoose }: DishChoicesProps) => {
  const { t } = useTranslation();
  const [isTimed, setIsTimed] = useState(false);
  return (
    <fieldset id={id} className="today-choices" aria-label={t("menuToday.choices", { name })}>
      <Button className="service-target today-first" onClick={() => onChoose({ to: "today" })}>
        <span className="today-two-lines">
          {t("menuToday.today")}
          <small>{t("menuToday.todayEnds", { time: formatEnd(clock.endsAt, clock.zone) })}</small>
        </span>
      </Button>
      <Button variant="default" className="service-target" onClick={() => onChoose({ to: "until_said" })}>
        {t("menuToday.until_said")}
      </Button>
      <Button variant="default" className="service-target" aria-expanded={isTimed} onClick={() => setIsTimed(!isTimed)}>
        {t("menuToday.time")}
      </Button>
      {!isCounted && (
        <Button variant="default" className="service-target" onClick={() => onChoose({ to: "count", remaining: FIRST_COUNT })}>
          {t("menuToday.count")}
        </Button>
      )}
      {isTimed && <TimeChoice zone={clock.zone} onChoose={(until) => onChoose({ to: "time", until })} />}
    </fieldset>
  );
};

const TimeChoice = ({ zone, onChoose }: { zone: string; onChoose: (until: string) => void }) => {
  const { t } = useTranslation();
  const [time, setTime] = useState("");
  const until = nextTime(time, zone, Date.now());
  return (
    <Form
      className="today-time"
      onSubmit={() => {
        if (until !== null) onChoose(until);
      }}
    >
      <TimeField label={t("menuToday.timeLabel")} value={time} onTime={setTime} />
      <Button type="submit" className="service-target" disabled={until === null}>
        {until === null ? t("menuToday.timeSubmit") : t("menuToday.states.soldOutUntil", { time: formatEnd(until, zone) })}
      </Button>
    </Form>
  );
};
