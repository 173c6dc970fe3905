/** Orders that staff take by phone or for a table. The rules and the commit are those of every order. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { FormDish, FormGroup, KnownGuest, OrderForm, OrderQuote } from "@comanda/contract/console/staff-orders.ts";
import type { OrderRefusal } from "@comanda/contract/venue/order-refusals.ts";
import type { NewOrder } from "@comanda/contract/venue/orders.ts";
import { keepAnswer } from "#db/kept-answers.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { type KeptJson, withMembers } from "#lib/kept-json.ts";
import { findKnownGuest } from "#venue/guests/service.ts";
import { findSellableMenu } from "#venue/menu/service/items.ts";
import { readBoardOrders } from "#venue/orders/service/reads.ts";
import { placeOrder, priceWantedOrder, readLastAddress } from "#venue/orders/service.ts";
import { findOrderChoices } from "#venue/settings/service.ts";
import { channelOf, contactErrors } from "./rules.ts";

export const readForm = async (ctx: Ctx): Promise<KeptJson<OrderForm>> => {
  const { data } = await keepAnswer(ctx, "order form", async () => ({ data: await makeForm(ctx), beside: null }));
  return withMembers(data, { now: ctx.now.toISOString() });
};

const makeForm = async (ctx: Ctx): Promise<Omit<OrderForm, "now">> => {
  const [{ ordering, tables }, { categories, items }] = await Promise.all([findOrderChoices(ctx), findSellableMenu(ctx)]);
  return {
    types: ordering.types.map(({ type }) => type),
    tables,
    delivery_cities: [...new Set(ordering.delivery_zones.flatMap(({ cities }) => cities))],
    categories,
    dishes: items.map(presentDish),
    groups: presentGroups(items),
    currency: ctx.tenant.currency,
    zone: ctx.tenant.zone,
  };
};

/** The guest who calls, by the phone number, with or without its country code. */
export const findCaller = async (ctx: Ctx, phone: string): Promise<KnownGuest | null> => {
  const known = await findKnownGuest(ctx, phone);
  if (!known) return null;
  const { id, name, visits_count, last_visit_at } = known.guest;
  return {
    name,
    phone: known.phone,
    visits_count,
    last_visit_at: last_visit_at?.toISOString() ?? null,
    delivery_address: await readLastAddress(ctx, id),
  };
};

type StaffOrder = Pick<NewOrder, "type" | "table_code" | "scheduled_for" | "delivery_address" | "lines">;
type NewStaffOrder = StaffOrder & Pick<NewOrder, "note"> & { customer_name?: string | null; customer_phone?: string | null };

export const quoteStaffOrder = async (ctx: Ctx, wanted: StaffOrder): Promise<OrderQuote> =>
  presentQuote(await priceWantedOrder(ctx, { ...wanted, channel: channelOf(wanted.type), customer_name: null, customer_phone: null }));

export const placeStaffOrder = async (ctx: Ctx, wanted: NewStaffOrder): Promise<BoardOrder> => {
  const contact = { customer_name: wanted.customer_name ?? null, customer_phone: wanted.customer_phone ?? null };
  const errors = contactErrors(wanted.type, contact);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  const { id } = await placeOrder(ctx, { ...wanted, ...contact, channel: channelOf(wanted.type) });
  const [order] = await readBoardOrders(ctx, [id]);
  if (!order) throw apiError("not_found");
  return order;
};

type FormItem = Omit<FormDish, "sizes" | "group_ids"> & { variants: FormDish["sizes"]; modifier_groups: FormGroup[] };

type Quoted = {
  lines: { index: number; line: Omit<OrderQuote["lines"][number], "index"> }[];
  amounts: NonNullable<OrderQuote["amounts"]>;
  timing: { promised_at: Date } | null;
  errors: Record<string, OrderRefusal[]>;
};

const presentDish = (item: FormItem): FormDish => ({
  id: item.id,
  category_id: item.category_id,
  name: item.name,
  price_minor: item.price_minor,
  is_available: item.is_available,
  remaining: item.remaining,
  sizes: item.variants.map(({ id, name, price_minor, is_default }) => ({ id, name, price_minor, is_default })),
  group_ids: item.modifier_groups.map(({ id }) => id),
});

/** Each group once, however many dishes show it. */
const presentGroups = (items: readonly FormItem[]): FormGroup[] => [
  ...new Map(
    items
      .flatMap(({ modifier_groups }) => modifier_groups)
      .map(({ id, name, min_select, max_select, options }) => [id, { id, name, min_select, max_select, options }]),
  ).values(),
];

const presentQuote = ({ lines, amounts, timing, errors }: Quoted): OrderQuote => {
  const { subtotal_minor, discount_minor, service_charge_minor, tax_added_minor, delivery_fee_minor, total_minor } = amounts;
  const isExact = Number.isSafeInteger(total_minor);
  return {
    lines: lines.map(({ index, line: { unit_price_minor, line_total_minor } }) => ({ index, unit_price_minor, line_total_minor })),
    amounts: isExact ? { subtotal_minor, discount_minor, service_charge_minor, tax_added_minor, delivery_fee_minor, total_minor } : null,
    promised_at: timing?.promised_at.toISOString() ?? null,
    refusals: Object.entries(errors).flatMap(([field, refusals]) => refusals.map((refusal) => ({ field, ...refusal }))),
  };
};
