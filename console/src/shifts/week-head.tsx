/** Chooses the week and the branch, and copies or publishes the week as a whole. */
import { SHIFT_MAILS_A_DAY_MAX } from "@comanda/contract/console/shift-limits.ts";
import type { PublicationLimit, ShiftWeek } from "@comanda/contract/console/shifts.ts";
import { ActionIcon, Button, NativeSelect, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CallError } from "#kit/api.ts";
import { addDays } from "#kit/dates.ts";
import { CopyIcon, ForwardIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatDateTime } from "#kit/relative-time.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { shiftKeys } from "./shift-queries.ts";
import { dayAndMonth } from "./shift-texts.tsx";

const WEEK_DAYS = 7;

type WeekHeadProps = {
  week: ShiftWeek;
  onWeek: (week: string | null) => void;
  onBranch: (branch: number) => void;
  onCopy: () => void;
};

export const WeekHead = ({ week, onWeek, onBranch, onCopy }: WeekHeadProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  return (
    <div className="shift-head">
      <div className="shift-week">
        <ActionIcon
          className="shift-before"
          variant="default"
          size={44}
          aria-label={t("shifts.weekBefore")}
          onClick={() => onWeek(addDays(week.week_start, -WEEK_DAYS))}
        >
          <ForwardIcon />
        </ActionIcon>
        <Text className="shift-span" role="status">
          {t("shifts.weekOf", { from: dayAndMonth(week.week_start), to: dayAndMonth(week.week_end) })}
        </Text>
        <ActionIcon
          variant="default"
          size={44}
          aria-label={t("shifts.weekAfter")}
          onClick={() => onWeek(addDays(week.week_start, WEEK_DAYS))}
        >
          <ForwardIcon />
        </ActionIcon>
        <Button variant="default" size="md" onClick={() => onWeek(null)}>
          {t("shifts.thisWeek")}
        </Button>
      </div>
      {week.branches.length > 1 && (
        <NativeSelect
          aria-label={t("shifts.branch")}
          size="md"
          value={String(week.branch_id)}
          onChange={(event) => onBranch(Number(event.currentTarget.value))}
          data={week.branches.map(({ id, name, is_removed }) => ({
            value: String(id),
            label: is_removed ? t("shifts.branchRemoved", { name: pick(name) }) : pick(name),
          }))}
        />
      )}
      <div className="shift-tools">
        <Button
          variant="default"
          size="md"
          leftSection={<CopyIcon />}
          disabled={week.shifts.every(({ state }) => state === "removed")}
          onClick={onCopy}
        >
          {t("shifts.copy")}
        </Button>
        {/* Each week and branch has tries of its own. */}
        <Publish key={`${week.branch_id} ${week.week_start}`} week={week} />
      </div>
    </div>
  );
};

/** Says why the week cannot be published now, and from when on it can. Null for any other error. */
const usePublicationLimit = () => {
  const { t } = useTranslation();
  return (error: unknown): string | null => {
    if (!(error instanceof CallError) || error.code !== "rate_limited") return null;
    const { names, until } = error.details as Partial<PublicationLimit>;
    if (!names || !until) return null;
    return t("shifts.mailLimit", { names: names.join(", "), max: SHIFT_MAILS_A_DAY_MAX, at: formatDateTime(until) });
  };
};

const Publish = ({ week }: { week: ShiftWeek }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const limitOf = usePublicationLimit();
  const { write, isPending } = useWrite<"publishShiftWeek">({
    readAgain: shiftKeys(venue),
    onDone: ({ data: { changes, mailed, not_mailed } }) => {
      if (changes === 0) return toast.note(t("shifts.nothingLeft"));
      toast.done(t("shifts.published", { count: mailed }));
      if (not_mailed.length > 0) toast.note(t("shifts.notMailed", { names: not_mailed.join(", ") }));
    },
    onRefused: (error) => {
      const limit = limitOf(error);
      if (limit === null) toast.refusal(error);
      else toast.note(limit);
    },
  });
  const body = { branch_id: week.branch_id, week_start: week.week_start, seen_version: week.version };
  const nothing = t(week.shifts.length === 0 ? "shifts.noShifts" : "shifts.allPublished");
  return (
    <Button
      size="md"
      disabled={week.changes === 0}
      loading={isPending}
      onClick={() => write({ id: "publishShiftWeek", params: { venue }, body })}
    >
      {week.changes === 0 ? nothing : t("shifts.publish", { count: week.changes })}
    </Button>
  );
};
