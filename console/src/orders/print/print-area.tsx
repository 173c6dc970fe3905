/** Receipts and kitchen tickets on paper of 80 mm. The area is hidden on the screen; printing shows nothing else. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { useCallback, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { useVenueName } from "#shell/venue.ts";
import { OrderTotals } from "../details/order-totals.tsx";
import { type PrintKind, useBoardContext } from "../order-actions.ts";
import { OrderLines } from "../order-lines.tsx";
import { orderNameOf, useOrderWho } from "../order-steps.ts";

type PrintJob = { order: BoardOrder; kind: PrintKind; at: number };

export const usePrint = () => {
  const [job, setJob] = useState<PrintJob | null>(null);
  const print = useCallback((order: BoardOrder, kind: PrintKind) => setJob({ order, kind, at: Date.now() }), []);
  return { job, print };
};

export const PrintArea = ({ job }: { job: PrintJob | null }) => {
  useEffect(() => {
    if (job) window.print();
  }, [job]);
  if (!job) return null;
  return createPortal(
    <div className="print-area" aria-hidden="true">
      <PrintHead job={job} />
      <OrderLines order={job.order.order} hasAmounts={job.kind === "receipt"} />
      <PrintFoot job={job} />
    </div>,
    document.body,
  );
};

const PrintHead = ({ job: { order, kind } }: { job: PrintJob }) => {
  const { t } = useTranslation();
  const venue = useVenueName();
  const { zone } = useBoardContext();
  const who = useOrderWho(order);
  return (
    <>
      {kind === "receipt" && <p className="print-venue">{venue}</p>}
      <p className="print-number">{orderNameOf(order)}</p>
      <p className="print-who">
        {t(`order.types.${order.order.type}`)} · <bdi>{who}</bdi>
      </p>
      <p>
        {t("details.promised")}: {formatDayAndClock(order.promised_at, zone)}
      </p>
    </>
  );
};

const PrintFoot = ({ job: { order, kind, at } }: { job: PrintJob }) => {
  const { t } = useTranslation();
  const { zone } = useBoardContext();
  const { note, delivery_address: address, customer } = order.order;
  return (
    <>
      {note && <p className="print-note">{note}</p>}
      {kind === "receipt" && <OrderTotals order={order} />}
      {kind === "receipt" && address && (
        <p>
          <bdi>{[customer.name, address.line1, address.city, address.phone].filter(Boolean).join(", ")}</bdi>
        </p>
      )}
      {kind === "receipt" && <p className="print-thanks">{t("print.thanks")}</p>}
      <p className="print-small">
        {t(`print.${kind}`)} · {t("print.printed", { time: formatDayAndClock(at, zone) })}
      </p>
    </>
  );
};
