/** Tables that no party gets for a time: a dialog that blocks them, and one that ends a block. */

import type { TableBlock } from "@comanda/contract/console/bookings.ts";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { addDays, instantAt, momentOfDay } from "#kit/dates.ts";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { TimeField } from "#kit/time-field.tsx";
import { useToast } from "#kit/toast.ts";
import { formatClock, formatDayAndClock } from "#kit/venue-time.ts";
import { useWrite } from "#kit/write.ts";
import { useRole } from "#shell/venue.ts";
import { useBookingContext, useTableNames } from "./booking-context.ts";
import { bookingKeys } from "./day-query.ts";
import type { DayState } from "./day-state.ts";
import { TABLES_MAX, TablePicker } from "./table-picker.tsx";

type BlockDraft = { from: string; to: string; tableIds: number[]; reason: string };

/** An end before the begin is one of the next day. */
const spanOf = (day: DayState, { from, to }: BlockDraft, zone: string): { starts_at: string; ends_at: string } => {
  const [begin, end] = [momentOfDay(day.date, from, zone), momentOfDay(day.date, to, zone)];
  return {
    starts_at: new Date(begin).toISOString(),
    ends_at: new Date(end > begin ? end : instantAt(addDays(day.date, 1), to, zone)).toISOString(),
  };
};

type BlockTablesProps = { day: DayState; branch: number | null; onClose: () => void };

export const BlockTables = ({ day, branch, onClose }: BlockTablesProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue, zone, tables } = useBookingContext();
  const toast = useToast();
  const [draft, setDraft] = useState<BlockDraft>({ from: "", to: "", tableIds: [], reason: "" });
  const set = (change: Partial<BlockDraft>): void => setDraft((known) => ({ ...known, ...change }));
  const { write, isPending } = useWrite<"blockTables">({
    readAgain: bookingKeys(venue),
    onDone: (_answer, { body }) => toast.done(t("block.done", { reason: body.reason })),
  });
  const offered = tables.filter(({ branch_id }) => branch === null || branch_id === branch);
  // All tables are those of one branch.
  const mustChoose = new Set(offered.map(({ branch_id }) => branch_id)).size > 1;
  const isChosen = draft.tableIds.length > 0 || !mustChoose;
  const isWhole = isChosen && draft.from !== "" && draft.to !== "" && draft.reason.trim() !== "";
  const { starts_at, ends_at } = draft.from !== "" && draft.to !== "" ? spanOf(day, draft, zone) : { starts_at: null, ends_at: null };
  // In words, because half past midnight can be meant for either of two nights.
  const span = starts_at && { from: formatDayAndClock(starts_at, zone), to: formatDayAndClock(ends_at, zone) };
  const submit = (): void => {
    if (!isWhole || isPending) return;
    const body = { branch_id: branch, table_ids: draft.tableIds, reason: draft.reason.trim(), ...spanOf(day, draft, zone) };
    write({ id: "blockTables", params: { venue }, body }, onClose);
  };
  return (
    <Dialog isOpen onClose={onClose} title={t("block.title")} size={520}>
      <Form onSubmit={submit}>
        <Stack gap="md" className="booking-details">
          <div className="booking-form-when">
            <TimeField required label={t("block.from")} value={draft.from} onTime={(time) => set({ from: time })} />
            <TimeField required label={t("block.to")} value={draft.to} onTime={(time) => set({ to: time })} />
          </div>
          {span && <Text size="sm">{t("block.span", span)}</Text>}
          <TablePicker
            branch={branch}
            chosen={draft.tableIds}
            onChange={(tableIds) => set({ tableIds })}
            hint={t(mustChoose ? "block.tablesOrBranch" : "block.tablesHint", { count: TABLES_MAX })}
          />
          <TextInput
            dir="auto"
            required
            label={t("block.reason")}
            maxLength={200}
            value={draft.reason}
            onChange={({ currentTarget: { value } }) => set({ reason: value })}
          />
          <Group justify="flex-end">
            <Button type="submit" className="service-target" loading={isPending} disabled={!isWhole}>
              {t("block.submit")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
};

export const BlockDetails = ({ block, onClose }: { block: TableBlock; onClose: () => void }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { venue, zone } = useBookingContext();
  const nameTables = useTableNames();
  const role = useRole();
  const toast = useToast();
  const { write, isPending } = useWrite<"endBlock">({
    readAgain: bookingKeys(venue),
    onDone: () => toast.done(t("block.ended", { reason: block.reason })),
  });
  return (
    <Dialog isOpen onClose={onClose} title={t("blocked", { reason: block.reason })} size={440}>
      <Stack gap="md">
        <Text>
          {t("atTable", { tables: nameTables(block.table_ids), count: block.table_ids.length })} · {formatClock(block.starts_at, zone)}–
          {formatClock(block.ends_at, zone)}
        </Text>
        <Text c="dimmed">
          {t("block.by")} <bdi>{block.blocked_by}</bdi>
        </Text>
        {role !== "staff" && (
          <Group justify="flex-end">
            <Button
              className="service-target"
              loading={isPending}
              onClick={() => write({ id: "endBlock", params: { venue, block: block.id } }, onClose)}
            >
              {t("block.end")}
            </Button>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
};
