/** Names of scopes. */
export const enScopes = {
  menu: "Menu",
  orders: "Orders",
  reservations: "Bookings",
  guests: "Guests",
  reports: "Reports",
  read: "Read",
  write: "Write",
  "menu:read": "Read dishes, prices and what is sold out.",
  "menu:write": "Change dishes, prices and what is sold out.",
  "orders:read": "Read orders, including the guests' names.",
  "orders:write": "Place orders and change their status.",
  "reservations:read": "Read bookings and free times.",
  "reservations:write": "Make and cancel bookings.",
  "guests:read": "Read guest profiles where the guest agreed.",
  "reports:read": "Read daily sales.",
  operations: "What each scope allows",
  resource: "Area",
};

/** Scopes that the consent screen marks as sensitive, and why. */
export const enSensitiveScopes = {
  "menu:write": "Guests see, order and pay for what it writes.",
  "orders:write": "Orders it places go to your kitchen.",
  "reservations:write": "It can fill your tables and cancel guests' bookings.",
  "guests:read": "This is personal data. You are responsible for who sees it.",
  "reports:read": "It shows what your venue earns.",
};
