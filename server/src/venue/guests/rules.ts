/** What a search means, and how two profiles of one person are merged. */
import { latinDigits } from "@comanda/contract/digits.ts";

const DIGITS_MIN = 3;

/** Digits are part of a phone number; anything else is part of a name. Null: the search finds nothing. */
export type GuestSearch = { digits: string } | { name: string } | null;

/** So many digits can be the end of a number, which may begin with a zero. */
const LAST_DIGITS_MAX = 5;

/** "0170 123" and "+49 170 123" end in the same digits, so signs are left out, and zeros in front of a longer number. */
export const parseGuestSearch = (text: string): GuestSearch => {
  const compact = latinDigits(text).replaceAll(/[\s()+./-]/g, "");
  if (/^\d+$/.test(compact)) {
    const digits = compact.length > LAST_DIGITS_MAX ? compact.replace(/^0+/, "") : compact;
    return digits.length < DIGITS_MIN ? null : { digits };
  }
  const name = text.trim();
  return name === "" ? null : { name };
};

/** A shorter number could be the end of another guest's. */
const LOCAL_DIGITS_MIN = 8;

/** "0170 1234567" is the end of "+49 170 1234567". Null for a number with its country code, and for one that is too short to compare. */
export const parseLocalNumber = (phone: string): string | null => {
  const compact = latinDigits(phone).replaceAll(/[\s()./-]/g, "");
  const digits = /^(?!00)\d+$/.test(compact) ? compact.replace(/^0/, "") : "";
  return digits.length < LOCAL_DIGITS_MIN ? null : digits;
};

type ProfileContact = { phone: string | null; email: string | null; locale: string | null };
type ProfileConsent = { marketing_opted_in: boolean; marketing_opted_in_at: Date | null };
type ProfileFigures = { visits_count: number; total_spend_minor: number; last_visit_at: Date | null; created_at: Date };
type MergeableProfile = ProfileContact & ProfileConsent & ProfileFigures & { staff_note: string | null };

const latest = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b > a) ? b : a);

/**
 * The guest that stays keeps what it has, and gets from the other what it lacks. Visits and spend are added. Consent is given only if both
 * had given it: the guest may have withdrawn it under the other number.
 */
export const mergeProfiles = <P extends MergeableProfile>(kept: P, other: P): P => {
  const isGiven = kept.marketing_opted_in && other.marketing_opted_in;
  const notes = [kept.staff_note, other.staff_note].filter((note) => note !== null && note !== "");
  return {
    ...kept,
    phone: kept.phone ?? other.phone,
    email: kept.email ?? other.email,
    locale: kept.locale ?? other.locale,
    staff_note: notes.length === 0 ? null : [...new Set(notes)].join("\n"),
    marketing_opted_in: isGiven,
    marketing_opted_in_at: isGiven ? kept.marketing_opted_in_at : null,
    visits_count: kept.visits_count + other.visits_count,
    total_spend_minor: Math.min(kept.total_spend_minor + other.total_spend_minor, Number.MAX_SAFE_INTEGER),
    last_visit_at: latest(kept.last_visit_at, other.last_visit_at),
    created_at: new Date(Math.min(kept.created_at.getTime(), other.created_at.getTime())),
  };
};
