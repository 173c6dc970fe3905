import type { TicketsState } from "@comanda/contract/console/experience-limits.ts";
import type { ConsentEntry, FoundGuest, GuestContactDetails, GuestProfile, OtherContact } from "@comanda/contract/console/guests.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { OrderStatus, OrderType } from "@comanda/contract/venue/orders.ts";
import type { ReservationStatus } from "@comanda/contract/venue/reservations.ts";
import { profileVersion } from "./rules.ts";

export const presentFound = (row: Omit<FoundGuest, "last_visit_at"> & { last_visit_at: Date | null }): FoundGuest => ({
  id: row.id,
  name: row.name,
  phone: row.phone,
  email: row.email,
  visits_count: row.visits_count,
  last_visit_at: row.last_visit_at?.toISOString() ?? null,
  marketing_opted_in: row.marketing_opted_in,
});

type PresentedProfile = GuestContactDetails & {
  id: number;
  staff_note: string | null;
  marketing_opted_in: boolean;
  marketing_opted_in_at: Date | null;
  visits_count: number;
  total_spend_minor: number;
  last_visit_at: Date | null;
  created_at: Date;
};

type ProfileParts = {
  profile: PresentedProfile;
  consents: (Omit<ConsentEntry, "at"> & { at: Date })[];
  contacts: OtherContact[];
  orders: { id: string; number: number | null; type: OrderType; status: OrderStatus; total_minor: number; placed_at: Date }[];
  reservations: { id: string; status: ReservationStatus; party_size: number; starts_at: Date }[];
  tickets: { id: number; session_id: number; name: Translations; tickets: number; state: TicketsState; starts_at: Date }[];
  isCut: boolean;
};

export const presentProfile = (
  { profile, consents, contacts, orders, reservations, tickets, isCut }: ProfileParts,
  { currency, zone }: { currency: string; zone: string },
): GuestProfile => ({
  id: profile.id,
  version: profileVersion(
    profile,
    contacts.map(({ id }) => id),
  ),
  name: profile.name,
  phone: profile.phone,
  email: profile.email,
  locale: profile.locale,
  note: profile.staff_note,
  marketing_opted_in: profile.marketing_opted_in,
  marketing_opted_in_at: profile.marketing_opted_in_at?.toISOString() ?? null,
  visits_count: profile.visits_count,
  total_spend_minor: profile.total_spend_minor,
  currency,
  last_visit_at: profile.last_visit_at?.toISOString() ?? null,
  created_at: profile.created_at.toISOString(),
  consents: consents.map(({ at, ...entry }) => ({ ...entry, at: at.toISOString() })),
  other_contacts: contacts.map(({ id, name, phone, email }) => ({ id, name, phone, email })),
  orders: orders.map(({ placed_at, ...order }) => ({ ...order, placed_at: placed_at.toISOString() })),
  reservations: reservations.map(({ id, status, party_size, starts_at }) => ({
    id,
    status,
    party_size,
    starts_at: starts_at.toISOString(),
  })),
  experiences: tickets.map(({ starts_at, ...booked }) => ({ ...booked, starts_at: starts_at.toISOString() })),
  is_cut: isCut,
  zone,
});
