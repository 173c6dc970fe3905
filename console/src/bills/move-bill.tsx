/** A bill goes on at another table, or takes over the bill of another one. */
import type { Bill } from "@comanda/contract/console/bills.ts";
import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { openBillsQuery } from "./bill-queries.ts";
import { useTableNames } from "./table-names.ts";
import { useBillWrite } from "./use-bill-write.ts";

type BillDialogProps = { venue: string; bill: Bill; onClose: () => void };

export const MoveBill = ({ venue, bill, onClose }: BillDialogProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  const nameTables = useTableNames();
  const toast = useToast();
  const [from, setFrom] = useState(String(bill.tables[0]?.id ?? ""));
  const [to, setTo] = useState("");
  const tables = useQuery({
    queryKey: ["bills", venue, "tables", bill.id],
    queryFn: async () => (await call("readBillTables", { params: { venue, bill: bill.id } })).data,
  });
  const { write, isPending } = useBillWrite<"moveBill">(venue, {
    onDone: ({ data }) => toast.done(t("moved", { tables: nameTables(data.tables) })),
    onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title={t("moveTitle", { tables: nameTables(bill.tables) })}>
      <Form
        onSubmit={() => {
          write({ id: "moveBill", params: { venue, bill: bill.id }, body: { from_table_id: Number(from), to_table_id: Number(to) } });
        }}
      >
        <Stack gap="lg">
          <Text>{t("moveLead")}</Text>
          {bill.tables.length > 1 && (
            <NativeSelect
              size="lg"
              label={t("moveFrom")}
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
              data={bill.tables.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          )}
          <NativeSelect
            size="lg"
            label={t("moveTo")}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
            data={[
              { value: "", label: t("chooseTable") },
              ...(tables.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
          <Button type="submit" size="lg" className="service-target" loading={isPending} disabled={to === ""}>
            {t("moveSend")}
          </Button>
        </Stack>
      </Form>
    </Dialog>
  );
};

export const MergeBills = ({ venue, bill, onClose }: BillDialogProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  const nameTables = useTableNames();
  const toast = useToast();
  const { data = [], isSuccess } = useQuery(openBillsQuery(venue));
  const others = data.filter(({ id, branch_id }) => id !== bill.id && branch_id === bill.branch_id);
  const { write, isPending } = useBillWrite<"mergeBills">(venue, {
    onDone: (answer) => toast.done(t("merged", { tables: nameTables(answer.data.tables) })),
    onClose,
  });
  return (
    <Dialog isOpen onClose={onClose} title={t("mergeTitle", { tables: nameTables(bill.tables) })}>
      <Stack gap="md">
        <Text>{t("mergeLead")}</Text>
        {isSuccess && others.length === 0 && <Text c="dimmed">{t("mergeNone")}</Text>}
        {others.map(({ id, tables, due_minor }) => (
          <Button
            key={id}
            size="lg"
            variant="default"
            className="service-target bill-other"
            disabled={isPending}
            onClick={() => write({ id: "mergeBills", params: { venue, bill: bill.id }, body: { other_bill_id: id } })}
          >
            {t("mergeChoice", { tables: nameTables(tables), amount: formatMoney(due_minor, bill.currency) })}
          </Button>
        ))}
      </Stack>
    </Dialog>
  );
};
