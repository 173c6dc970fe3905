import type { Guest } from "@comanda/contract/venue/guests.ts";
import { formatInstant } from "#lib/time-zone.ts";
import type { GuestRow } from "./store/profiles.ts";

/** Consent decides whether phone and e-mail are shown (contract §2.8). */
export const presentGuest = (guest: GuestRow, zone: string): Guest => ({
  id: guest.id,
  name: guest.name,
  phone: guest.marketing_opted_in ? guest.phone : null,
  email: guest.marketing_opted_in ? guest.email : null,
  contact_shared: guest.marketing_opted_in,
  locale: guest.locale,
  marketing_opted_in: guest.marketing_opted_in,
  marketing_opted_in_at: guest.marketing_opted_in_at && formatInstant(zone, guest.marketing_opted_in_at),
  visits_count: guest.visits_count,
  total_spend_minor: guest.total_spend_minor,
  last_visit_at: guest.last_visit_at && formatInstant(zone, guest.last_visit_at),
  created_at: formatInstant(zone, guest.created_at),
});
