/** Which taxes dishes have, for those who change the taxes. */
import type { Ctx } from "#lib/context.ts";
import { countItemsByTax } from "../store/items.ts";
import { lockMenu } from "../store/plan.ts";

export { lockMenu };

/** How many dishes have each tax, by its key. Those with the default tax are not counted. */
export const readDishCountsByTax = async (ctx: Ctx): Promise<Map<string, number>> =>
  new Map((await countItemsByTax(ctx)).map(({ tax_key, dishes }) => [tax_key, dishes]));
