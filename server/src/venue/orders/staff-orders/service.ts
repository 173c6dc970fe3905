/** Orders that staff take by phone or for a table. The rules and the commit are those of every order. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { KnownGuest, OrderForm, OrderQuote } from "@comanda/contract/console/staff-orders.ts";
import type { NewOrder } from "@comanda/contract/venue/orders.ts";
import { keepAnswer } from "#db/kept-answers.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { type KeptJson, withMembers } from "#lib/kept-json.ts";
import { findKnownGuest } from "#venue/guests/service.ts";
import { findSellableMenu } from "#venue/menu/service/items.ts";
import { placeOrder, priceWantedOrder, readBoardOrders, readLastAddress } from "#venue/orders/service.ts";
import { findOrderChoices } from "#venue/settings/service.ts";
import { presentDish, presentGroups, presentQuote } from "./present.ts";
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
