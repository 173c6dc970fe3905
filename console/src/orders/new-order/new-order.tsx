/** Takes an order by phone or for a table. The board stays behind it and goes on ringing. */
import "./new-order.css";
import type { OrderForm } from "@comanda/contract/console/staff-orders.ts";
import { Modal, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useState } from "react";
import { useTranslation } from "react-i18next";
import { addEnglishTexts } from "#kit/language.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { DishOptions } from "./dish-options.tsx";
import { DishPicker } from "./dish-picker.tsx";
import { DraftOrder } from "./draft-order.tsx";
import { GuestFields } from "./guest-fields.tsx";
import { orderFormQuery } from "./new-order-queries.ts";
import { addLine, changeDraft, type DraftChange, type DraftLine, emptyDraft, type OrderDraft } from "./order-draft.ts";
import { enNewOrder } from "./texts.en.ts";

addEnglishTexts({ newOrder: enNewOrder });

/** The draft belongs to the page, so that closing the dialog loses nothing. */
type NewOrderProps = {
  venue: string;
  /** The order is another round for this table. */
  tableCode: string | null;
  draft: OrderDraft | null;
  onDraft: Dispatch<SetStateAction<OrderDraft | null>>;
  onClose: () => void;
};

export const NewOrder = (props: NewOrderProps) => {
  const { venue, onClose } = props;
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const { t: tCommon } = useTranslation();
  const { data, error, refetch } = useQuery(orderFormQuery(venue));
  return (
    <Modal
      opened
      fullScreen
      onClose={onClose}
      title={t("title")}
      classNames={{ body: "new-order-body", title: "new-order-title" }}
      closeButtonProps={{ "aria-label": tCommon("common.close"), size: 56 }}
    >
      {data ? (
        <OrderBeingTaken {...props} form={data} />
      ) : error ? (
        <ErrorAlert error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={480} radius="lg" role="status" aria-label={tCommon("common.loading")} />
      )}
    </Modal>
  );
};

const OrderBeingTaken = ({ venue, form, tableCode, onClose, ...props }: NewOrderProps & { form: OrderForm }) => {
  const first: OrderDraft = tableCode === null ? emptyDraft(form) : { ...emptyDraft(form), type: "dine_in", tableCode };
  const draft = props.draft ?? first;
  const change = (changed: DraftChange): void => props.onDraft((known) => changeDraft(known ?? first, changed));
  const [dishId, setDishId] = useState<number | null>(null);
  const dish = form.dishes.find(({ id }) => id === dishId);
  const add = (line: DraftLine): void => {
    change(({ lines }) => ({ lines: addLine(lines, line) }));
    setDishId(null);
  };
  const clearPlaced = (key: string): void => props.onDraft((known) => (known?.sent?.idempotencyKey === key ? null : known));
  return (
    <div className="new-order">
      <GuestFields venue={venue} form={form} draft={draft} onChange={change} />
      {dish ? (
        <DishOptions key={dish.id} form={form} dish={dish} onAdd={add} onBack={() => setDishId(null)} />
      ) : (
        <DishPicker form={form} onAdd={add} onChoose={setDishId} />
      )}
      <DraftOrder
        venue={venue}
        form={form}
        draft={draft}
        onChange={change}
        onClear={() => props.onDraft(null)}
        onPlaced={clearPlaced}
        onClose={onClose}
      />
    </div>
  );
};
