/** The areas of the API: what the reference says about each, its scopes (contract §5.1), and how the ids in its paths are written (§4). */
type Area = {
  readonly description: string;
  readonly scopes: Readonly<Record<string, string>>;
  /** Anything not written so in a path is an unknown resource, so 404. */
  readonly pathParameters: Readonly<Record<string, "integer" | "uuid">>;
};

/** A new area is one entry here; scopes, tags and path parameters everywhere else follow from it. */
export const AREAS = {
  Menu: {
    description: "Menus, categories, dishes, sizes and modifiers.",
    scopes: { "menu:read": "Read the menu.", "menu:write": "Change dishes, prices and what is sold out." },
    pathParameters: { menu: "integer", item: "integer" },
  },
  Orders: {
    description: "Placed on any channel, priced from the menu, moved through the kitchen.",
    scopes: { "orders:read": "Read orders.", "orders:write": "Place orders and move them through their statuses." },
    pathParameters: { order: "uuid" },
  },
  Reservations: {
    description: "Free times, bookings and the tables they hold.",
    scopes: { "reservations:read": "Read bookings and free tables.", "reservations:write": "Make and cancel bookings." },
    pathParameters: { reservation: "uuid" },
  },
  Guests: {
    description: "Profiles, with contact details only under consent.",
    scopes: { "guests:read": "Read guest profiles." },
    pathParameters: { guest: "integer" },
  },
  Reports: {
    description: "What was sold.",
    scopes: { "reports:read": "Read sales figures." },
    pathParameters: {},
  },
  Restaurant: {
    description: "The restaurant that the token belongs to: what a program asks first.",
    scopes: {},
    pathParameters: {},
  },
  Events: {
    description: "What happened in the restaurant, in the order in which it was stored.",
    scopes: {},
    pathParameters: {},
  },
  Sandbox: {
    description: "Control of a sandbox, for its own token.",
    scopes: {},
    pathParameters: {},
  },
} as const satisfies Record<string, Area>;

export type AreaName = keyof typeof AREAS;

export const areas: readonly Area[] = Object.values(AREAS);
