import type { Bill } from "@comanda/contract/console/bills.ts";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { useTableNames } from "./table-names.ts";
import { useBillWrite } from "./use-bill-write.ts";

const REASON_LENGTH_MIN = 3;

type CloseBillProps = { venue: string; bill: Bill; onClose: () => void; onClosed: () => void };

/** Frees the tables. What is not paid needs a reason. */
export const CloseBill = ({ venue, bill, onClose, onClosed }: CloseBillProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  const nameTables = useTableNames();
  const toast = useToast();
  const [reason, setReason] = useState("");
  const { write, isPending } = useBillWrite<"closeBill">(venue, {
    onDone: ({ data }) => toast.done(t("closed", { tables: nameTables(data.tables) })),
  });
  const isDue = bill.due_minor > 0;
  const close = (): void =>
    write(
      {
        id: "closeBill",
        params: { venue, bill: bill.id },
        body: { seen_due_minor: bill.due_minor, ...(isDue ? { reason: reason.trim() } : {}) },
      },
      onClosed,
    );
  return (
    <Dialog isOpen onClose={onClose} title={t("closeTitle", { tables: nameTables(bill.tables) })}>
      <Form onSubmit={close}>
        <Stack gap="lg">
          <p className="bill-lead">{isDue ? t("closeDue", { amount: formatMoney(bill.due_minor, bill.currency) }) : t("closePaid")}</p>
          {isDue && (
            <TextInput
              size="lg"
              dir="auto"
              data-autofocus
              label={t("closeReason")}
              description={t("closeHint")}
              maxLength={200}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
          <Group grow>
            <Button variant="default" className="service-target" onClick={onClose}>
              {t("keep")}
            </Button>
            <Button
              type="submit"
              className="service-target"
              {...(isDue ? { color: "red" } : { "data-autofocus": true })}
              loading={isPending}
              disabled={isDue && reason.trim().length < REASON_LENGTH_MIN}
            >
              {t(isDue ? "closeSend" : "closeSendPaid")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
};
