/** Asks why: an order is rejected or cancelled, or one of its lines is struck. A frequent reason is one tap. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { STOCK_CHOICES, type StockChoice } from "@comanda/contract/console/stock-kinds.ts";
import { Button, Group, Radio, Stack, Text, Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { useBoardContext } from "./order-actions.ts";
import { orderNameOf } from "./order-steps.ts";
import type { enOrders } from "./texts.en.ts";

type ReasonChoice = keyof typeof enOrders.reason.choices;

const CHOICES: Record<"reject" | "cancel", readonly ReasonChoice[]> = {
  reject: ["soldOut", "busy", "closing", "address"],
  cancel: ["guest", "double", "mistake", "unreachable"],
};
const REASON_LENGTH_MIN = 3;
const REASON_LENGTH_MAX = 200;

type MoveReasonProps = { order: BoardOrder; kind: "reject" | "cancel"; onClose: () => void };

export const MoveReasonDialog = ({ order, kind, onClose }: MoveReasonProps) => {
  const { t } = useTranslation();
  const { move } = useBoardContext();
  const stock = useStockQuestion(order);
  return (
    <ReasonDialog
      title={t(`reason.${kind}Title`, { name: orderNameOf(order) })}
      lead={t(`reason.${kind}Lead`)}
      stock={kind === "cancel" ? stock : null}
      choices={CHOICES[kind]}
      submitLabel={t(`reason.${kind}`)}
      keepLabel={t("reason.keep")}
      onReason={(reason, choice) => {
        move(order, kind === "reject" ? "rejected" : "cancelled", { reason, ...choice });
        onClose();
      }}
      onClose={onClose}
    />
  );
};

/** `asked`: the kitchen has begun. `back`: it has not, and the ingredients go back by themselves. */
export type StockQuestion = "asked" | "back" | null;

/** Null for an order that took nothing: its dishes have no recipes, or it was not accepted. */
export const useStockQuestion = ({ takes_stock, order, held_until }: BoardOrder): StockQuestion => {
  const { clockAheadMs } = useBoardContext();
  if (!takes_stock || (order.status !== "accepted" && order.status !== "ready")) return null;
  return held_until !== null && Date.parse(held_until) > Date.now() + clockAheadMs ? "back" : "asked";
};

type ReasonDialogProps = {
  title: string;
  lead: string;
  stock: StockQuestion;
  choices: readonly ReasonChoice[];
  submitLabel: string;
  keepLabel: string;
  isPending?: boolean;
  /** It was pressed and is not answered: a further press repeats this, so nothing else can be chosen. */
  pressed?: { reason: string; stock?: StockChoice } | undefined;
  onReason: (reason: string, choice: { stock?: StockChoice }) => void;
  onClose: () => void;
  /** What is asked before the reason. */
  children?: ReactNode;
};

export const ReasonDialog = (props: ReasonDialogProps) => {
  const { t } = useTranslation();
  const { title, lead, stock, choices, submitLabel, keepLabel, isPending = false, pressed, onClose } = props;
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<StockChoice>("waste");
  const { reason, stock: choice = chosen } = pressed ?? { reason: typed };
  const isFixed = pressed !== undefined;
  const onReason = (text: string): void => props.onReason(text, stock === "asked" ? { stock: choice } : {});
  const isLongEnough = reason.trim().length >= REASON_LENGTH_MIN;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Form
        onSubmit={() => {
          if (isLongEnough) onReason(reason.trim());
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">{stock === "back" ? `${lead} ${t("reason.stockGoesBack")}` : lead}</Text>
          {props.children}
          {stock === "asked" && <StockFields choice={choice} isFixed={isFixed} onChange={setChosen} />}
          <fieldset className="reason-choices" aria-label={t("reason.quick")}>
            {choices
              .map((name) => t(`reason.choices.${name}`))
              .map((text) => (
                <Button
                  key={text}
                  variant="default"
                  className="service-target"
                  disabled={isPending || (isFixed && text !== reason)}
                  onClick={() => onReason(text)}
                >
                  {text}
                </Button>
              ))}
          </fieldset>
          <Textarea
            label={t("reason.label")}
            description={t("reason.hint")}
            maxLength={REASON_LENGTH_MAX}
            dir="auto"
            rows={2}
            data-autofocus
            readOnly={isFixed}
            value={reason}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" className="service-target" onClick={onClose}>
              {keepLabel}
            </Button>
            <Button type="submit" color="red.9" className="service-target" disabled={!isLongEnough} loading={isPending}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
};

type StockFieldsProps = { choice: StockChoice; isFixed: boolean; onChange: (choice: StockChoice) => void };

const StockFields = ({ choice, isFixed, onChange }: StockFieldsProps) => {
  const { t } = useTranslation();
  return (
    <Radio.Group label={t("reason.stock")} value={choice} onChange={(value) => onChange(value as StockChoice)}>
      <Stack gap={0}>
        {STOCK_CHOICES.toReversed().map((one) => (
          <Radio key={one} size="md" className="stock-choice" disabled={isFixed} value={one} label={t(`reason.stockChoices.${one}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
};
