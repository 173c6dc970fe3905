/** Imports a venue file in a transaction of its own, recorded as done by the operator. Commands, tests and benchmarks share it. */
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { openDb } from "#db/pool.ts";
import type { Deps } from "#deps.ts";
import { findRestaurantId, newRestaurantId } from "#platform/tenants/store.ts";
import { applyVenueFile } from "#venue/setup/venue-file/service.ts";
import { asOperator } from "./as-operator.ts";

/** The slug decides whether the venue is new. A new one gets its id first, because row-level security checks the row against it. */
export const importVenue = async (deps: Deps, file: VenueFile): Promise<{ slug: string; restaurant_id: number }> => {
  const { slug, currency, zone, default_language } = file.restaurant;
  const db = openDb(deps.pool);
  const id = (await findRestaurantId(db, slug)) ?? (await newRestaurantId(db));
  await asOperator(deps, { id, slug, kind: "live", currency, zone, default_language, clock_offset_ms: 0 }, (ctx) =>
    applyVenueFile(ctx, file),
  );
  return { slug, restaurant_id: id };
};
