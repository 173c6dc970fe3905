/** What a bearer token may do (contract §5.1), and the parts of a plan that open whole areas (§1.7). */
export const SCOPES = {
  "menu:read": "Read the menu.",
  "menu:write": "Change dishes, prices and what is sold out.",
  "orders:read": "Read orders.",
  "orders:write": "Place orders and move them through their statuses.",
  "reservations:read": "Read bookings and free tables.",
  "reservations:write": "Make and cancel bookings.",
  "guests:read": "Read guest profiles.",
  "reports:read": "Read sales figures.",
} as const satisfies Record<string, string>;

export type Scope = keyof typeof SCOPES;
export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];
export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

export type Feature = "reservations" | "reporting";
