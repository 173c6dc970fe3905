/** The owner's settings, for other modules. */
import type { Ctx } from "#lib/context.ts";
import {
  type BookingSettings,
  type BranchName,
  findBookingSettings,
  findOrderChoices,
  findOrderingSettings,
  listBranchNames,
  listTableCodes,
  type OrderChoices,
  type OrderingSettings,
} from "./store.ts";

export const readOrderingSettings = (ctx: Ctx, tableCode: string | null): Promise<OrderingSettings> => findOrderingSettings(ctx, tableCode);

export const readOrderChoices = (ctx: Ctx): Promise<OrderChoices> => findOrderChoices(ctx);

/** In the owner's order. */
export const readBranchNames = (ctx: Ctx): Promise<BranchName[]> => listBranchNames(ctx);

export const readTableCodes = async (ctx: Ctx): Promise<string[]> => (await listTableCodes(ctx)).map(({ code }) => code);

export const readBookingSettings = (ctx: Ctx): Promise<BookingSettings> => findBookingSettings(ctx);
