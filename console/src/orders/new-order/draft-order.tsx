/** The lines so far, their price, what is missing, and the button that places the order. */
import type { FieldRefusal, OrderForm, OrderQuote } from "@comanda/contract/console/staff-orders.ts";
import type { Minor } from "@comanda/contract/minor.ts";
import { minor } from "@comanda/contract/minor.ts";
import { ActionIcon, Button, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { MinusIcon, NoIcon, PlusIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { formatClock, formatDayAndClock } from "#kit/venue-time.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { serviceDayOf } from "../board-columns.ts";
import { DraftAmounts } from "./draft-amounts.tsx";
import { useQuote } from "./new-order-queries.ts";
import { changeQuantity, type DraftChange, type DraftLine, lineKey, missingOf, type OrderDraft, QUANTITY_MAX } from "./order-draft.ts";
import { usePlaceOrder } from "./place-order.ts";

/** "lines.3.item_id" concerns the fourth line. */
const lineOfField = (field: string): number | null => {
  const [, index] = /^lines\.(\d+)\./.exec(field) ?? [];
  return index === undefined ? null : Number(index);
};

/** Amounts and times are written as the reader writes them. */
const useRefusalText = ({ currency, zone, now }: Pick<OrderForm, "currency" | "zone" | "now">) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  return ({ reason, values }: FieldRefusal): string => {
    const endsAt = String(values.ends_at ?? now);
    const until =
      serviceDayOf(Date.parse(endsAt), zone) === serviceDayOf(Date.parse(now), zone)
        ? formatClock(endsAt, zone)
        : formatDayAndClock(endsAt, zone);
    return t(`refusals.${reason}`, { ...values, until, amount: formatMoney(minor(Number(values.minimum_minor ?? 0)), currency) });
  };
};

type DraftOrderProps = {
  venue: string;
  form: OrderForm;
  draft: OrderDraft;
  onChange: (change: DraftChange) => void;
  onClear: () => void;
  onPlaced: (key: string) => void;
  onClose: () => void;
};

export const DraftOrder = (props: DraftOrderProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const { venue, form, draft, onChange, onClear } = props;
  const { quote, isCurrent, error, refetch } = useQuote(venue, draft, form);
  const place = usePlaceOrder({ ...props, onRefused: refetch });
  const missing = missingOf(draft);
  const isReady = draft.lines.length > 0 && missing.length === 0 && isCurrent && quote?.refusals.length === 0;
  const total = quote?.amounts?.total_minor;
  return (
    <section className="new-order-order" aria-label={t("order")}>
      <h2 className="new-order-heading">{t("order")}</h2>
      {draft.lines.length === 0 && <Text c="dimmed">{t("empty")}</Text>}
      <ul className="new-order-lines">
        {draft.lines.map((line, place) => (
          <LineRow
            key={lineKey(line)}
            form={form}
            line={line}
            total={quote?.lines.find(({ index }) => index === place)?.line_total_minor}
            refusals={refusalsOfLine(quote, place)}
            onQuantity={(step) => onChange(({ lines }) => ({ lines: changeQuantity(lines, place, (lines[place]?.quantity ?? 0) + step) }))}
          />
        ))}
      </ul>
      {quote && <DraftAmounts quote={quote} form={form} isCurrent={isCurrent} />}
      {error && <ErrorAlert error={error} onRetry={refetch} />}
      <Missing quote={quote} form={form} missing={draft.lines.length === 0 ? [] : missing} />
      <div className="new-order-end">
        {draft.lines.length > 0 && (
          <Button variant="default" className="service-target" onClick={onClear}>
            {t("clear")}
          </Button>
        )}
        <Button className="service-target new-order-place" disabled={!isReady} loading={place.isPending} onClick={place.submit}>
          {total === undefined ? t("place") : t("placeFor", { amount: formatMoney(total, form.currency) })}
        </Button>
      </div>
    </section>
  );
};

const refusalsOfLine = (quote: OrderQuote | undefined, place: number): FieldRefusal[] =>
  quote?.refusals.filter(({ field }) => lineOfField(field) === place) ?? [];

type MissingProps = { quote: OrderQuote | undefined; form: OrderForm; missing: readonly ("missingName" | "missingPhone")[] };

/** What concerns no single line. */
const Missing = ({ quote, form, missing }: MissingProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const say = useRefusalText(form);
  const refused = quote?.refusals.filter(({ field }) => lineOfField(field) === null) ?? [];
  const sentences = [...new Set([...missing.map((name) => t(name)), ...refused.map((refusal) => say(refusal))])];
  if (sentences.length === 0) return null;
  return (
    <div className="new-order-missing" role="status">
      <b>{t("missing")}</b>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
};

type LineRowProps = {
  form: OrderForm;
  line: DraftLine;
  total: Minor | undefined;
  refusals: FieldRefusal[];
  onQuantity: (step: 1 | -1) => void;
};

const LineRow = ({ form, line, total, refusals, onQuantity }: LineRowProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "newOrder" });
  const pick = useLocalizedName();
  const say = useRefusalText(form);
  const dish = form.dishes.find(({ id }) => id === line.dishId);
  const name = dish ? pick(dish.name) : String(line.dishId);
  const size = dish?.sizes.find(({ id }) => id === line.sizeId);
  const options = form.groups.flatMap((group) => group.options.filter(({ id }) => line.optionIds.includes(id)));
  const choices = [...new Set([...(size ? [pick(size.name)] : []), ...options.map((option) => pick(option.name))])];
  const isLast = line.quantity === 1;
  return (
    <li className="new-order-line">
      <ActionIcon variant="default" size={56} aria-label={t(isLast ? "remove" : "fewer", { name })} onClick={() => onQuantity(-1)}>
        {isLast ? <NoIcon /> : <MinusIcon />}
      </ActionIcon>
      <b className="new-order-quantity figures">{line.quantity}</b>
      <ActionIcon
        variant="default"
        size={56}
        aria-label={t("more", { name })}
        disabled={line.quantity >= QUANTITY_MAX}
        onClick={() => onQuantity(1)}
      >
        <PlusIcon />
      </ActionIcon>
      <div className="new-order-line-text">
        <span dir="auto">{name}</span>
        {choices.length > 0 && <span className="new-order-hint">{choices.join(" · ")}</span>}
        {refusals.map((refusal) => (
          <span key={`${refusal.field} ${refusal.reason}`} className="new-order-refused">
            {say(refusal)}
          </span>
        ))}
      </div>
      <span className="figures">{total === undefined ? "" : formatMoney(total, form.currency)}</span>
    </li>
  );
};
