/** Takes a payment of a bill: all of it, an equal part, some dishes or an amount; with a tip, and change for cash. */
import type { Bill } from "@comanda/contract/console/bills.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { Button, Checkbox, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { readAmount, writeAmount } from "#kit/amounts.ts";
import { Dialog } from "#kit/dialog.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { NumberField } from "#kit/number-field.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { changeOf, costOfLines, equalPart, lineIdOf } from "./bill-parts.ts";
import { useTableNames } from "./table-names.ts";
import { useBillWrite } from "./use-bill-write.ts";

const WAYS = ["all", "equal", "lines", "amount"] as const;
type PayingWay = (typeof WAYS)[number];
const METHODS = ["cash", "card_terminal", "other"] as const;
const PEOPLE_MAX = 50;

type PayBillProps = { venue: string; bill: Bill; onClose: () => void };

/** What is chosen so far. A field that is not touched is what the way of paying gives. */
type BillPart = { way: PayingWay; people: number; lines: ReadonlySet<string>; amount: string; tip: string; tendered: string };

const NOTHING_CHOSEN: BillPart = { way: "all", people: 2, lines: new Set(), amount: "", tip: "", tendered: "" };

const amountOf = (bill: Bill, { way, people, lines, amount }: BillPart): Minor | null => {
  if (way === "all") return bill.due_minor;
  if (way === "equal") return equalPart(bill.due_minor, people);
  if (way === "lines") return costOfLines(bill, lines);
  return readAmount(amount, bill.currency);
};

const optionalAmount = (text: string, currency: string): Minor | null => (text.trim() === "" ? minor(0) : readAmount(text, currency));

export const PayBill = ({ venue, bill, onClose }: PayBillProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  const nameTables = useTableNames();
  const toast = useToast();
  const [chosen, setChosen] = useState(NOTHING_CHOSEN);
  const change = (changed: Partial<BillPart>): void => setChosen((known) => ({ ...known, ...changed }));
  const { write, isPending, wanted } = useBillWrite<"payBill">(venue, {
    onDone: ({ data }, { body }) => {
      const tables = nameTables(data.tables);
      toast.done(
        data.due_minor === 0 ? t("takenAll", { tables }) : t("taken", { tables, amount: formatMoney(body.amount_minor, bill.currency) }),
      );
    },
    onClose,
  });
  const amount = amountOf(bill, chosen);
  const tip = optionalAmount(chosen.tip, bill.currency);
  const tendered = chosen.tendered.trim() === "" ? null : readAmount(chosen.tendered, bill.currency);
  const back = tendered === null || amount === null || tip === null ? null : changeOf(tendered, amount, tip);
  const isRight = amount !== null && amount > 0 && amount <= bill.due_minor && tip !== null;
  const isCashRight = chosen.tendered.trim() === "" || back !== null;
  const take = (method: (typeof METHODS)[number]): void =>
    write({
      id: "payBill",
      params: { venue, bill: bill.id },
      body: {
        method,
        amount_minor: amount ?? minor(0),
        tip_minor: tip ?? minor(0),
        ...(method === "cash" && tendered !== null ? { tendered_minor: tendered } : {}),
        ...(chosen.way === "lines" ? { lines: linesOf(bill, chosen.lines) } : {}),
        seen_due_minor: bill.due_minor,
      },
    });
  return (
    <Dialog isOpen onClose={onClose} title={t("payTitle", { tables: nameTables(bill.tables) })} size={520}>
      <Stack gap="lg">
        <SegmentedControl
          fullWidth
          size="md"
          className="bill-ways"
          aria-label={t("wayLabel")}
          value={chosen.way}
          onChange={(way) => change({ way: way as PayingWay })}
          data={WAYS.map((way) => ({ value: way, label: t(`ways.${way}`) }))}
        />
        <WayFields bill={bill} chosen={chosen} amount={amount} onChange={change} />
        <MoneyFields bill={bill} chosen={chosen} back={back} isRight={{ tip: tip !== null, cash: isCashRight }} onChange={change} />
        <output className="bill-change" aria-live="polite">
          {back !== null && t("change", { amount: formatMoney(back, bill.currency) })}
        </output>
        <div className="bill-methods">
          {METHODS.map((method) => (
            <Button
              key={method}
              className="bill-method"
              variant={method === "other" ? "default" : "filled"}
              disabled={!isRight || isPending || (method === "cash" && !isCashRight)}
              loading={isPending && wanted?.body.method === method}
              onClick={() => take(method)}
            >
              <span>
                {t(`methods.${method}`)}
                {amount !== null && amount > 0 && (
                  <span className="bill-method-amount figures">{formatMoney(minor(amount + (tip ?? 0)), bill.currency)}</span>
                )}
              </span>
            </Button>
          ))}
        </div>
      </Stack>
    </Dialog>
  );
};

const linesOf = ({ lines }: Bill, chosen: ReadonlySet<string>) =>
  lines.filter((line) => chosen.has(lineIdOf(line))).map(({ order_id, line_id }) => ({ order_id, line_id }));

type BillPartProps = { bill: Bill; chosen: BillPart; onChange: (changed: Partial<BillPart>) => void };

const WayFields = ({ bill, chosen, amount, onChange }: BillPartProps & { amount: Minor | null }) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  const due = formatMoney(bill.due_minor, bill.currency);
  if (chosen.way === "all") return <Text className="bill-part figures">{t("amountHint", { amount: due })}</Text>;
  if (chosen.way === "equal")
    return (
      <>
        <NumberField
          size="lg"
          label={t("people")}
          value={chosen.people}
          min={1}
          max={PEOPLE_MAX}
          onChange={(people) => onChange({ people })}
        />
        {amount !== null && (
          <Text className="bill-part figures">
            {t("part", { amount: formatMoney(amount, bill.currency), left: formatMoney(minor(bill.due_minor - amount), bill.currency) })}
          </Text>
        )}
      </>
    );
  if (chosen.way === "lines") return <LineChoice bill={bill} chosen={chosen} onChange={onChange} />;
  const isWrong = chosen.amount !== "" && (amount === null || amount === 0 || amount > bill.due_minor);
  return (
    <AmountField
      label={t("amount")}
      description={t("amountHint", { amount: due })}
      error={isWrong && t("amountWrong", { amount: due })}
      placeholder={writeAmount(bill.due_minor, bill.currency)}
      currency={bill.currency}
      value={chosen.amount}
      onAmount={(written) => onChange({ amount: written })}
    />
  );
};

/** Shows the lines that are not paid. */
const LineChoice = ({ bill, chosen, onChange }: BillPartProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  const pick = useLocalizedName();
  const lines = new Map(
    bill.orders.flatMap(({ order }) => order.items.map((line) => [lineIdOf({ order_id: order.id, line_id: line.id }), line])),
  );
  const toggle = (id: string): void => {
    const next = new Set(chosen.lines);
    if (!next.delete(id)) next.add(id);
    onChange({ lines: next });
  };
  return (
    <fieldset className="bill-choice">
      <legend>{t("chooseLines")}</legend>
      {bill.lines
        .filter(({ is_paid, share_minor }) => !is_paid && share_minor > 0)
        .map((share) => {
          const id = lineIdOf(share);
          const line = lines.get(id);
          return (
            <Checkbox
              key={id}
              size="md"
              checked={chosen.lines.has(id)}
              onChange={() => toggle(id)}
              label={
                <span className="bill-choice-line">
                  <span className="grow">
                    {line?.quantity}× <bdi>{line && pick(line.name)}</bdi>
                  </span>
                  <span className="figures">{formatMoney(share.share_minor, bill.currency)}</span>
                </span>
              }
            />
          );
        })}
    </fieldset>
  );
};

type MoneyFieldsProps = BillPartProps & { back: Minor | null; isRight: { tip: boolean; cash: boolean } };

const MoneyFields = ({ bill, chosen, isRight, onChange }: MoneyFieldsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bill" });
  return (
    <div className="bill-money">
      <AmountField
        label={t("tipField")}
        error={!isRight.tip && t("tipWrong")}
        currency={bill.currency}
        value={chosen.tip}
        onAmount={(tip) => onChange({ tip })}
      />
      <AmountField
        label={t("tendered")}
        error={!isRight.cash && t("tenderedWrong", { amount: formatMoney(totalOf(bill, chosen), bill.currency) })}
        currency={bill.currency}
        value={chosen.tendered}
        onAmount={(tendered) => onChange({ tendered })}
      />
    </div>
  );
};

const totalOf = (bill: Bill, chosen: BillPart): Minor =>
  minor((amountOf(bill, chosen) ?? 0) + (optionalAmount(chosen.tip, bill.currency) ?? 0));

type BillAmountProps = {
  label: string;
  description?: string;
  error?: string | false;
  placeholder?: string;
  currency: string;
  value: string;
  onAmount: (text: string) => void;
};

const AmountField = ({ currency, onAmount, ...props }: BillAmountProps) => (
  <TextInput
    size="lg"
    dir="ltr"
    inputMode="decimal"
    autoComplete="off"
    className="figures"
    rightSection={currency}
    rightSectionWidth={64}
    onChange={(event) => onAmount(event.currentTarget.value)}
    {...props}
  />
);
