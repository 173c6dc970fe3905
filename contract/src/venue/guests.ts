/** Guests (contract §2.8, §4.4): contact details only under consent. */
import { type Static, Type } from "typebox";
import type { Operation } from "../operation.ts";
import { DateTime, Id, MinorWithin, Nullable, One, Page, Paging, QueryBoolean, Shape } from "../shared.ts";

export const Guest = Shape("Guest", {
  id: Id,
  name: Type.String(),
  phone: Nullable(Type.String({ description: "Null unless the guest agreed to hear from the restaurant." })),
  email: Nullable(Type.String({ description: "Null unless the guest agreed to hear from the restaurant." })),
  contact_shared: Type.Boolean(),
  locale: Nullable(Type.String()),
  marketing_opted_in: Type.Boolean(),
  marketing_opted_in_at: Nullable(DateTime),
  visits_count: Type.Integer({ minimum: 0 }),
  total_spend_minor: MinorWithin({ minimum: 0 }),
  last_visit_at: Nullable(DateTime),
  created_at: DateTime,
});
export type Guest = Static<typeof Guest>;

export const guestOperations = {
  listGuests: {
    method: "GET",
    path: "/guests",
    scope: "guests:read",
    tag: "Guests",
    summary: "List guests",
    description: "Guest profiles in the order of their ids, page by page. Guests who asked to be forgotten never appear.",
    query: Type.Object({
      marketing_opted_in: QueryBoolean("Only guests who agreed to hear from the restaurant, or only the others."),
      updated_since: Type.Optional(
        Type.String({ format: "date-or-date-time", description: "Changed at or after this date or date-time." }),
      ),
      ...Paging,
    }),
    success: { status: 200, body: Page(Guest) },
    extraStatuses: [422],
  },
  getGuest: {
    method: "GET",
    path: "/guests/{guest}",
    scope: "guests:read",
    tag: "Guests",
    summary: "Read a guest",
    description: "One guest profile.",
    success: { status: 200, body: One(Guest) },
    extraStatuses: [404],
  },
} as const satisfies Record<string, Operation>;
