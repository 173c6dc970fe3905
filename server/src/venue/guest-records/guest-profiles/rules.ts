/** Whether a profile is as the page saw it. */
import type { GuestContactDetails } from "@comanda/contract/console/guests.ts";
import { sha256 } from "#lib/token-format.ts";

export const DETAIL_FIELDS = ["name", "phone", "email", "locale"] as const;

type VersionedProfile = GuestContactDetails & { id: number; staff_note: string | null; marketing_opted_in: boolean };

/** Visits and spend are left out: an order that ends meanwhile is no reason to decide again. */
export const profileVersion = (profile: VersionedProfile, mergedIds: readonly number[]): string => {
  const parts = [...DETAIL_FIELDS.map((field) => profile[field]), profile.staff_note, profile.marketing_opted_in];
  return sha256(JSON.stringify([profile.id, parts, mergedIds.toSorted((a, b) => a - b)])).toString("base64url");
};

/** Bodies are trimmed. What a venue file brought may have white space around it. */
export const isSeenText = (stored: string | null, seen: string | null): boolean => (stored?.trim() ?? null) === seen;

export const hasSeenDetails = (profile: GuestContactDetails, seen: GuestContactDetails): boolean =>
  DETAIL_FIELDS.every((field) => isSeenText(profile[field], seen[field]));
