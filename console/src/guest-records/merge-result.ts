/** What a merge will give, as the server decides it. */

import type { GuestProfile } from "@comanda/contract/console/guests.ts";
import { minor } from "@comanda/contract/minor.ts";

export type MergeResult = Pick<GuestProfile, "name" | "phone" | "email" | "visits_count" | "total_spend_minor" | "marketing_opted_in">;

export const mergeResultOf = (kept: MergeResult, other: MergeResult): MergeResult => ({
  name: kept.name,
  phone: kept.phone ?? other.phone,
  email: kept.email ?? other.email,
  visits_count: kept.visits_count + other.visits_count,
  total_spend_minor: minor(kept.total_spend_minor + other.total_spend_minor),
  marketing_opted_in: kept.marketing_opted_in && other.marketing_opted_in,
});
