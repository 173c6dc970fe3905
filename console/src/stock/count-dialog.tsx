/** Counting with big keys. The variance is shown before it is saved; the next ingredient follows. */
import type { StockLevel, StockSheet } from "@comanda/contract/console/stock.ts";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { Quantity } from "./level-texts.tsx";
import { difference, formatChange, readQuantity, typeKey } from "./quantities.ts";
import { stockKeys } from "./stock-queries.ts";

const KEYS = ["7", "8", "9", "4", "5", "6", "1", "2", "3", ".", "0"] as const;

type CountDialogProps = { sheet: StockSheet; first: number; onClose: () => void };

export const CountDialog = ({ sheet, first, onClose }: CountDialogProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const [id, setId] = useState(first);
  const place = sheet.ingredients.findIndex((level) => level.id === id);
  const level = sheet.ingredients[place];
  if (!level) return null;
  const next = sheet.ingredients[place + 1];
  return (
    <Dialog isOpen onClose={onClose} title={t("stock.countTitle", { name: pick(level.name) })} size={420}>
      <CountForm
        key={id}
        level={level}
        branchId={sheet.branch_id}
        hasNext={next !== undefined}
        onCounted={(goOn) => (goOn && next ? setId(next.id) : onClose())}
      />
    </Dialog>
  );
};

type CountFormProps = { level: StockLevel; branchId: number; hasNext: boolean; onCounted: (goOn: boolean) => void };

const useCount = ({ level, branchId, onCounted }: CountFormProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [isGoingOn, setGoingOn] = useState(false);
  const { write, isPending } = useWrite<"countIngredient">({
    readAgain: stockKeys(venue),
    onDone: ({ data: { variance } }) => {
      toast.done(
        variance === 0
          ? t("stock.countedRight")
          : t("stock.counted", { variance: formatChange(variance), unit: t(`stock.units.${level.unit}`) }),
      );
      onCounted(isGoingOn);
    },
  });
  const save = (counted: number, goOn: boolean): void => {
    setGoingOn(goOn);
    write({ id: "countIngredient", params: { venue, id: level.id }, body: { branch_id: branchId, counted, seen_on_hand: level.on_hand } });
  };
  return { save, isPending };
};

const CountForm = (props: CountFormProps) => {
  const { t } = useTranslation();
  const { level, hasNext } = props;
  const [text, setText] = useState("");
  const { save, isPending } = useCount(props);
  const counted = readQuantity(text);
  return (
    <Form
      onSubmit={() => {
        if (counted !== null) save(counted, hasNext);
      }}
    >
      <Stack gap="md">
        <Text c="dimmed">
          <Trans t={t} i18nKey="stock.thought" components={{ quantity: <Quantity value={level.on_hand} unit={level.unit} /> }} />
        </Text>
        <TextInput
          label={t("stock.counting")}
          size="xl"
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          className="figures"
          rightSection={t(`stock.units.${level.unit}`)}
          rightSectionWidth={88}
          error={text !== "" && counted === null && t("stock.quantityWrong")}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Variance level={level} counted={counted} />
        <KeyPad onKey={(key) => setText((before) => typeKey(before, key))} />
        <Group grow gap="sm">
          {hasNext && (
            <Button
              type="button"
              variant="default"
              className="service-target"
              disabled={counted === null || isPending}
              onClick={() => save(counted ?? 0, false)}
            >
              {t("stock.saveAndClose")}
            </Button>
          )}
          <Button type="submit" className="service-target" disabled={counted === null} loading={isPending}>
            {t(hasNext ? "stock.saveAndNext" : "stock.saveAndClose")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

const Variance = ({ level, counted }: { level: StockLevel; counted: number | null }) => {
  const { t } = useTranslation();
  return (
    <p className="stock-variance" role="status">
      {t("stock.variance")} {counted === null ? "–" : <Quantity value={difference(counted, level.on_hand)} unit={level.unit} isChange />}
    </p>
  );
};

const KeyPad = ({ onKey }: { onKey: (key: string | null) => void }) => {
  const { t } = useTranslation();
  return (
    <fieldset className="stock-keys" aria-label={t("stock.keys")} dir="ltr">
      {KEYS.map((key) => (
        <Button key={key} type="button" variant="default" className="stock-key" onClick={() => onKey(key)}>
          {key}
        </Button>
      ))}
      <Button type="button" variant="default" className="stock-key" aria-label={t("stock.back")} onClick={() => onKey(null)}>
        ⌫
      </Button>
    </fieldset>
  );
};
