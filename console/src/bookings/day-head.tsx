/** The head of the bookings page: which day, which view, and what comes in. */
import { ActionIcon, Button, NativeSelect, SegmentedControl, TextInput, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ActionMenu, MenuAction } from "#kit/action-menu.tsx";
import { addDays } from "#kit/dates.ts";
import { DotsIcon, ForwardIcon, NoIcon, PlusIcon, SearchIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useRole } from "#shell/venue.ts";
import type { DayState } from "./day-state.ts";

export const DAY_VIEWS = ["list", "timeline", "floor"] as const;
export type DayView = (typeof DAY_VIEWS)[number];
export type DayDialog = "walkIn" | "new" | "waitlist" | "block" | "try";

type DayHeadProps = {
  day: DayState;
  view: DayView;
  onView: (view: DayView) => void;
  onDate: (date: string) => void;
  branch: number | null;
  onBranch: (branch: number | null) => void;
  onOpen: (dialog: DayDialog) => void;
};

export const DayHead = ({ day, view, onView, onDate, branch, onBranch, onOpen }: DayHeadProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const pick = useLocalizedName();
  const role = useRole();
  return (
    <div className="bookings-head">
      <Title order={1} className="bookings-title">
        {t("title")}
      </Title>
      <Button className="service-target" onClick={() => onOpen("walkIn")}>
        {t("walkIn.open")}
      </Button>
      <Button className="service-target" variant="default" leftSection={<PlusIcon />} onClick={() => onOpen("new")}>
        {t("new.open")}
      </Button>
      <Button className="service-target" variant="default" onClick={() => onOpen("waitlist")}>
        {t("waitlist.open")}
      </Button>
      <div className="bookings-day">
        <ActionIcon
          className="day-before"
          variant="default"
          size={44}
          aria-label={t("dayBefore")}
          onClick={() => onDate(addDays(day.date, -1))}
        >
          <ForwardIcon />
        </ActionIcon>
        <TextInput
          type="date"
          aria-label={t("day")}
          value={day.date}
          onChange={({ currentTarget: { value } }) => value !== "" && onDate(value)}
        />
        <ActionIcon variant="default" size={44} aria-label={t("dayAfter")} onClick={() => onDate(addDays(day.date, 1))}>
          <ForwardIcon />
        </ActionIcon>
        <Button variant="default" className="service-target" onClick={() => onDate("")}>
          {t("today")}
        </Button>
      </div>
      {day.branches.length > 1 && (
        <NativeSelect
          aria-label={t("branch")}
          value={branch === null ? "" : String(branch)}
          onChange={({ currentTarget: { value } }) => onBranch(value === "" ? null : Number(value))}
          data={[{ value: "", label: t("allBranches") }, ...day.branches.map(({ id, name }) => ({ value: String(id), label: pick(name) }))]}
        />
      )}
      <SegmentedControl
        aria-label={t("view")}
        value={view}
        onChange={(value) => onView(DAY_VIEWS.find((one) => one === value) ?? "list")}
        data={DAY_VIEWS.map((one) => ({ value: one, label: t(`views.${one}`) }))}
      />
      {role !== "staff" && (
        <ActionMenu className="booking-more" label={t("more")} icon={<DotsIcon />}>
          <MenuAction icon={<NoIcon />} onSelect={() => onOpen("block")}>
            {t("block.open")}
          </MenuAction>
          <MenuAction icon={<SearchIcon />} onSelect={() => onOpen("try")}>
            {t("tryIt")}
          </MenuAction>
        </ActionMenu>
      )}
    </div>
  );
};
