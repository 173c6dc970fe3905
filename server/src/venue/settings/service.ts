/** What the owner has set, as other rooms ask for it. */
import type { Ctx } from "#lib/context.ts";
import { type BookingSettings, findBookingSettings, findOrderingSettings, type OrderingSettings } from "./store.ts";

export const readOrderingSettings = (ctx: Ctx, tableCode: string | null): Promise<OrderingSettings> => findOrderingSettings(ctx, tableCode);

export const readBookingSettings = (ctx: Ctx): Promise<BookingSettings> => findBookingSettings(ctx);
