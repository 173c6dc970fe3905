/** One option of a modifier group. */
import type { OptionToday } from "@comanda/contract/console/menu-today.ts";
import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import type { TodayClock } from "./dish-row.tsx";
import { isSoldOut } from "./menu-filter.ts";
import { useSetOption } from "./menu-today-query.ts";
import { SellOutSwitch } from "./sell-out-switch.tsx";
import { formatEnd, useStateText } from "./state-text.ts";

type OptionRowProps = { option: OptionToday; venue: string; clock: TodayClock; isOpen: boolean; onOpen: (isOpen: boolean) => void };

export const OptionRow = ({ option, venue, clock, isOpen, onOpen }: OptionRowProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const describe = useStateText();
  const { set, isPending } = useSetOption(venue);
  const name = pick(option.name);
  const isOut = isSoldOut(option.state);
  const id = `option-${option.id}`;
  const choose = (to: Parameters<typeof set>[1]): void => {
    onOpen(false);
    set(option, to);
  };
  return (
    <SellOutSwitch
      id={id}
      name={name}
      detail={t("menuToday.shownBy", { group: pick(option.group_name), count: option.dishes })}
      state={describe(option.state, clock.zone)}
      isSoldOut={isOut}
      isOpen={isOpen}
      isPending={isPending}
      onToggle={() => (isOut ? choose("available") : onOpen(!isOpen))}
    >
      {isOpen && !isOut && (
        <fieldset id={id} className="today-choices" aria-label={t("menuToday.choices", { name })}>
          <Button className="service-target today-first" onClick={() => choose("today")}>
            <span className="today-two-lines">
              {t("menuToday.today")}
              <small>{t("menuToday.todayEnds", { time: formatEnd(clock.endsAt, clock.zone) })}</small>
            </span>
          </Button>
          <Button variant="default" className="service-target" onClick={() => choose("until_said")}>
            {t("menuToday.until_said")}
          </Button>
        </fieldset>
      )}
    </SellOutSwitch>
  );
};
