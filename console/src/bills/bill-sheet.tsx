/** The bill of a table: its orders, what is due, and what can be done with it. */
import "./bills.css";
import type { Bill } from "@comanda/contract/console/bills.ts";
import { sumOf } from "@comanda/contract/minor.ts";
import { Button, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SideDialog } from "#kit/dialog.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { formatMoney } from "#kit/number-format.ts";
import { formatClock } from "#kit/venue-time.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { BillOrders } from "./bill-orders.tsx";
import { billQuery } from "./bill-queries.ts";
import { CloseBill } from "./close-bill.tsx";
import { MergeBills, MoveBill } from "./move-bill.tsx";
import { PayBill } from "./pay-bill.tsx";
import { useTableNames } from "./table-names.ts";
import { enBills } from "./texts.en.ts";
import { useBillWrite } from "./use-bill-write.ts";

addEnglishTexts(enBills);

/** `onRound` takes a new order for this table; without it the page has no place for one. */
type BillSheetProps = { venue: string; id: string; zone: string; onRound?: (tableCode: string) => void; onClose: () => void };

export const BillSheet = ({ venue, id, ...props }: BillSheetProps) => {
  const { t } = useTranslation();
  const nameTables = useTableNames();
  const { data: bill, error, refetch } = useQuery(billQuery(venue, id));
  const title = bill ? t(bill.closed_at ? "bill.titleClosed" : "bill.title", { tables: nameTables(bill.tables) }) : t("bill.open");
  return (
    <SideDialog isOpen onClose={props.onClose} title={title} size={560}>
      {bill ? (
        <BillContent venue={venue} bill={bill} {...props} />
      ) : error ? (
        <ErrorAlert error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} role="status" aria-label={t("common.loading")} />
      )}
    </SideDialog>
  );
};

type BillContentProps = Omit<BillSheetProps, "id"> & { bill: Bill };

const BillContent = ({ bill, zone, ...props }: BillContentProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  return (
    <Stack gap="xl" className="bill">
      {bill.closing && bill.closed_at && (
        <p className="bill-state">{t(`closings.${bill.closing}`, { time: formatClock(bill.closed_at, zone) })}</p>
      )}
      {bill.asked_at && !bill.closed_at && (
        <p className="bill-state bill-asked">{t("asked", { time: formatClock(bill.asked_at, zone) })}</p>
      )}
      <BillOrders bill={bill} />
      <BillSums bill={bill} />
      {!bill.closed_at && <BillActs bill={bill} {...props} />}
      <BillPayments bill={bill} zone={zone} />
    </Stack>
  );
};

const BillSums = ({ bill: { total_minor, due_minor, orders, payments, currency } }: { bill: Bill }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  const paid = sumOf(orders.map(({ paid_minor }) => paid_minor));
  const tips = sumOf(payments.map(({ tip_minor }) => tip_minor));
  const rows = [["total", total_minor], ["paid", paid], ["due", due_minor], ...(tips > 0 ? ([["tips", tips]] as const) : [])] as const;
  return (
    <dl className="bill-sums figures">
      {rows.map(([name, amount]) => (
        <div key={name} className={name === "due" ? "bill-due" : ""}>
          <dt>{t(name)}</dt>
          <dd>{formatMoney(amount, currency)}</dd>
        </div>
      ))}
    </dl>
  );
};

const BillPayments = ({ bill: { payments, currency }, zone }: { bill: Bill; zone: string }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  if (payments.length === 0) return null;
  return (
    <section>
      <h3 className="item-title">{t("payments")}</h3>
      <ul className="bill-payments">
        {payments.map((payment) => (
          <li key={payment.id}>
            <span className="grow">
              <b className="figures">{formatMoney(payment.amount_minor, currency)}</b> {t(`methods.${payment.method}`)}
              {payment.refunded_minor > 0 && (
                <span className="bad"> · {t("refunded", { amount: formatMoney(payment.refunded_minor, currency) })}</span>
              )}
              {payment.tip_minor > 0 && <> · {t("tip", { amount: formatMoney(payment.tip_minor, currency) })}</>}
            </span>
            <span className="hint">{t("by", { time: formatClock(payment.recorded_at, zone), name: payment.recorded_by })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};

type BillAct = "pay" | "move" | "merge" | "close";

const BillActs = ({ venue, bill, onRound, onClose }: Omit<BillContentProps, "zone">) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  const [act, setAct] = useState<BillAct | null>(null);
  const { write, isPending } = useBillWrite<"askForBill">(venue);
  const code = bill.tables.find((table) => table.code !== null)?.code ?? null;
  const isAsking = bill.asked_at === null;
  const dialog = { venue, bill, onClose: () => setAct(null) };
  return (
    <section className="bill-acts">
      {bill.due_minor > 0 && (
        <Button className="service-target bill-main" onClick={() => setAct("pay")}>
          {t("pay")}
        </Button>
      )}
      {onRound && code !== null && (
        <Button className="service-target" variant="light" onClick={() => onRound(code)}>
          {t("addRound")}
        </Button>
      )}
      <Button
        className="service-target"
        variant="default"
        loading={isPending}
        onClick={() => write({ id: "askForBill", params: { venue, bill: bill.id }, body: { is_asked: isAsking } })}
      >
        {t(isAsking ? "ask" : "unask")}
      </Button>
      {(["move", "merge", "close"] as const).map((name) => (
        <Button key={name} className="service-target" variant="default" onClick={() => setAct(name)}>
          {t(name)}
        </Button>
      ))}
      {act === "pay" && <PayBill {...dialog} />}
      {act === "move" && <MoveBill {...dialog} />}
      {act === "merge" && <MergeBills {...dialog} />}
      {act === "close" && <CloseBill {...dialog} onClosed={onClose} />}
    </section>
  );
};
