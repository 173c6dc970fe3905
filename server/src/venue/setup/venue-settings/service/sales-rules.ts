/** Ordering rules and charges, and a receipt by charges that are not stored yet. */
import type { SampleOrder, SampleReceipt, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import type { OrderingRules } from "@comanda/contract/venue-file/ordering-rules.ts";
import type { Ctx } from "#lib/context.ts";
import { recordChange } from "#lib/record-change.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { lockMenu, readDishCountsByTax } from "#venue/menu/service/editor.ts";
import { findSalesRules, lockSalesRules, updateCharges, updateOrdering } from "#venue/settings/service.ts";
import { presentPart } from "../present.ts";
import { orderingErrors, sampleErrors, sampleReceipt, versionOf, wantedChargesErrors } from "../rules.ts";
import { refuseFaults, settingsChanged } from "./stale.ts";

type SeenOrdering = { seen_version: string; ordering: OrderingRules };
type SeenCharges = { seen_version: string; charges: Charges };

export const saveOrdering = async (ctx: Ctx, { seen_version, ordering }: SeenOrdering): Promise<VenueSettingParts["ordering"]> => {
  const { ordering: before } = await lockSalesRules(ctx);
  if (versionOf(before) !== seen_version) throw await settingsChanged(ctx, "ordering", presentPart(before));
  refuseFaults(orderingErrors({ ordering }));
  updateOrdering(ctx, ordering);
  const { ordering: after } = await findSalesRules(ctx);
  if (versionOf(after) !== seen_version)
    recordAudit(ctx, { action: "ordering.changed", subject: { kind: "ordering", id: ctx.tenant.id }, before, after });
  return presentPart(after);
};

/** The menu is locked first, so that no dish is given a tax while it is removed. */
export const saveCharges = async (ctx: Ctx, { seen_version, charges }: SeenCharges): Promise<VenueSettingParts["charges"]> => {
  lockMenu(ctx);
  const { charges: before } = await lockSalesRules(ctx);
  if (versionOf(before) !== seen_version) throw await settingsChanged(ctx, "charges", presentPart(before));
  refuseFaults(wantedChargesErrors(before, charges, await readDishCountsByTax(ctx)));
  updateCharges(ctx, charges);
  const { charges: after } = await findSalesRules(ctx);
  if (versionOf(after) !== seen_version) {
    recordAudit(ctx, { action: "charges.changed", subject: { kind: "charges", id: ctx.tenant.id }, before, after });
    // The page of the menu shows the taxes that a dish can have.
    recordChange(ctx, { kind: "menu", id: "all" });
  }
  return presentPart(after);
};

export const trySampleReceipt = async (ctx: Ctx, sample: SampleOrder): Promise<SampleReceipt> => {
  refuseFaults(sampleErrors(sample));
  const { ordering } = await findSalesRules(ctx);
  return sampleReceipt(sample, { zone: ctx.tenant.zone, now: ctx.now, flatFeeMinor: ordering.delivery_fee_minor });
};
