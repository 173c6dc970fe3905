/** A delivery with as many ingredients as its note has, or waste with a reason. */
import type { StockSheet } from "@comanda/contract/console/stock.ts";
import { Button, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { KeyedCallInput } from "#kit/api.ts";
import { SideDialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { readQuantity } from "./quantities.ts";
import { stockKeys } from "./stock-queries.ts";

const LINES_MAX = 100;
const REASON_LENGTH_MIN = 3;

type MoveKind = "delivery" | "waste";
type MoveLine = { number: number; ingredient: string; quantity: string };
type MoveDialogProps = { sheet: StockSheet; kind: MoveKind; onClose: () => void };

const useMove = ({ kind, onClose }: MoveDialogProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"recordDelivery" | "recordWaste">({
    readAgain: stockKeys(venue),
    onDone: () => toast.done(t(kind === "delivery" ? "stock.delivered" : "stock.wasted")),
    onClose,
  });
  return {
    isPending,
    move: (body: KeyedCallInput<"recordWaste">["body"]): void =>
      write({ id: kind === "delivery" ? "recordDelivery" : "recordWaste", params: { venue }, body }),
  };
};

const isWhole = ({ ingredient, quantity }: MoveLine): boolean => ingredient !== "" && (readQuantity(quantity) ?? 0) > 0;

export const MoveDialog = (props: MoveDialogProps) => {
  const { t } = useTranslation();
  const { sheet, kind, onClose } = props;
  const [lines, setLines] = useState<readonly MoveLine[]>([{ number: 0, ingredient: "", quantity: "" }]);
  const [reason, setReason] = useState("");
  const { move, isPending } = useMove(props);
  const hasReason = kind === "delivery" || reason.trim().length >= REASON_LENGTH_MIN;
  const change = (number: number, part: Partial<MoveLine>): void =>
    setLines((before) => before.map((line) => (line.number === number ? { ...line, ...part } : line)));
  return (
    <SideDialog isOpen onClose={onClose} title={t(kind === "delivery" ? "stock.deliveryTitle" : "stock.wasteTitle")} size={480}>
      <Form
        onSubmit={() => {
          const sent = lines.map(({ ingredient, quantity }) => ({
            ingredient_id: Number(ingredient),
            quantity: readQuantity(quantity) ?? 0,
          }));
          move({ branch_id: sheet.branch_id, lines: sent, reason: reason.trim() });
        }}
      >
        <Stack gap="md">
          {lines.map((line) => (
            <MoveLineFields key={line.number} sheet={sheet} line={line} onChange={(part) => change(line.number, part)} />
          ))}
          <Button
            variant="default"
            size="md"
            disabled={lines.length >= LINES_MAX}
            onClick={() => setLines((before) => [...before, { number: (before.at(-1)?.number ?? 0) + 1, ingredient: "", quantity: "" }])}
          >
            {t("stock.anotherLine")}
          </Button>
          <TextInput
            label={t(kind === "delivery" ? "stock.deliveryNote" : "stock.reason")}
            description={kind === "waste" && t("stock.reasonHint")}
            size="md"
            dir="auto"
            maxLength={200}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" size="md" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" size="md" disabled={!hasReason || !lines.every(isWhole)} loading={isPending}>
              {t(kind === "delivery" ? "stock.deliverySubmit" : "stock.wasteSubmit")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </SideDialog>
  );
};

type MoveLineProps = { sheet: StockSheet; line: MoveLine; onChange: (part: Partial<MoveLine>) => void };

const MoveLineFields = ({ sheet, line, onChange }: MoveLineProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const chosen = sheet.ingredients.find(({ id }) => String(id) === line.ingredient);
  return (
    <div className="stock-move">
      <NativeSelect
        label={t("stock.ingredient")}
        size="md"
        value={line.ingredient}
        onChange={(event) => onChange({ ingredient: event.currentTarget.value })}
        data={[
          { value: "", label: t("stock.choose") },
          ...sheet.ingredients.map(({ id, name }) => ({ value: String(id), label: pick(name) })),
        ]}
      />
      <TextInput
        label={t("stock.quantity")}
        size="md"
        dir="ltr"
        inputMode="decimal"
        autoComplete="off"
        className="figures"
        rightSection={chosen ? t(`stock.units.${chosen.unit}`) : null}
        rightSectionWidth={80}
        error={line.quantity !== "" && readQuantity(line.quantity) === null && t("stock.quantityWrong")}
        value={line.quantity}
        onChange={(event) => onChange({ quantity: event.currentTarget.value })}
      />
    </div>
  );
};
