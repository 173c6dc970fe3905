/** For tests that try every console call: bodies that would be accepted, and whether anything was changed. */
import type { TestApp, TestVenue } from "./test-app.ts";

const APP = {
  name: "Eve's",
  developer: "Eve",
  summary: "Listens.",
  site: "https://eve.example",
  install_url: null,
  logo: null,
  redirect_uris: ["https://eve.example/back"],
  scopes: ["menu:read"],
};

const FIRST_VENUE = {
  name: "Eve's",
  currency: "EUR",
  zone: "Europe/Rome",
  language: "en",
  hours: null,
  menu: [{ name: { en: "Dishes" }, dishes: [{ name: { en: "Soup" }, price_minor: 700 }] }],
};

/** Valid bodies, so that only the access check can refuse a call. */
export const CONSOLE_BODIES: Record<string, unknown> = {
  createToken: { name: "website", scopes: ["menu:read"] },
  rollToken: { overlap: "now" },
  addWebhook: { url: "https://example.com/hook", events: ["order.created"] },
  changeWebhook: { description: "changed" },
  checkAddress: { url: "http://example.com/" },
  replayDeliveries: { ids: [1] },
  retryDeliveries: { ids: [1] },
  moveBoardOrder: { seen_status: "placed", status: "accepted" },
  strikeOrderLine: { seen_status: "placed", reason: "ordered twice" },
  takePayment: { method: "cash", amount_minor: 100, seen_paid_minor: 0 },
  payWithGiftCard: { code: "TEST-CARD-0000-0000-000G", amount_minor: 100, seen_paid_minor: 0 },
  refundOrderPayment: { amount_minor: 50, reason: "too cold", seen_refunded_minor: 0 },
  setOrderType: { type: "pickup", seen: { paused_until: null, busy_until: null, extra_minutes: null }, to: "pause_30" },
  setDishToday: { seen: { kind: "available", until: null, remaining: null }, to: "today" },
  saveMenu: { menus: [{ key: "late", seen: null, value: { name: { en: "Late" }, is_active: true, hours: null } }] },
  schedulePrices: { prices: [{ item: "plain", variant: null, price_minor: 100 }], date: "2027-01-01", time: "05:00" },
  cancelScheduledPrices: { ids: ["01a1d9ed-c200-7010-a20b-7b30b26c95ec"] },
  putBackMenu: { entries: [1] },
  setOptionToday: { seen: { kind: "available", until: null }, to: "today" },
  pairScreen: { code: "123456", purpose: "kitchen", name: "Kitchen", branch_id: null, stations: [], language: "en", has_sound: true },
  changeScreen: { name: "Grill" },
  changeTicket: { change: "bump", seen_state: "fired" },
  setGuestNote: { seen_note: null, note: "By the window" },
  changeGuestDetails: {
    seen: { name: "Ada", phone: null, email: null, locale: null },
    details: { name: "Ada", phone: null, email: null, locale: null },
  },
  recordGuestConsent: { seen_is_given: false, is_given: true, source: "in_person" },
  mergeGuests: { other_id: 2, seen_version: "x", other_seen_version: "y" },
  eraseGuest: { seen_version: "x" },
  sellGiftCard: { code: "TEST-CARD-0000-0000-000G", amount_minor: 5000, expires_on: null, guest_id: null, message: null, method: "cash" },
  giveGiftCard: { code: "TEST-CARD-0000-0000-000G", amount_minor: 5000, expires_on: null, guest_id: null, message: null, reason: "sorry" },
  lookUpGiftCard: { code: "TEST-CARD-0000-0000-000G" },
  setGiftCardStatus: { seen_status: "active", status: "frozen" },
  adjustGiftCard: { seen_balance_minor: 5000, amount_minor: -100, reason: "mistyped" },
  replaceGiftCardCode: { seen_last4: "000G", code: "TEST-CARD-0000-0000-000G" },
  saveReviewRules: { seen: { is_on: false, wait_minutes: 60 }, rules: { is_on: true, wait_minutes: 60 } },
  replyToReview: { seen_replied_at: null, reply: "Thank you." },
  addIngredient: { ingredient: { name: { en: "Flour" }, sku: "", unit: "kg", sells_out: false, par_levels: [] } },
  saveIngredient: { seen_version: "x", ingredient: { name: { en: "Flour" }, sku: "", unit: "kg", sells_out: false, par_levels: [] } },
  countIngredient: { branch_id: 1, counted: 1, seen_on_hand: 0 },
  recordDelivery: { branch_id: 1, lines: [{ ingredient_id: 1, quantity: 1 }], reason: null },
  recordWaste: { branch_id: 1, lines: [{ ingredient_id: 1, quantity: 1 }], reason: "fell down" },
  saveRecipe: { seen_version: "x", recipes: [] },
  addShift: { branch_id: 1, shift: { staff_id: 1, date: "2026-12-01", from: "10:00", to: "18:00", role: null, note: null } },
  changeShift: { seen_version: 1, shift: { staff_id: 1, date: "2026-12-01", from: "10:00", to: "18:00", role: null, note: null } },
  removeShift: { seen_version: 1 },
  restoreShift: { seen_version: 1 },
  copyShiftWeek: { branch_id: 1, from_week: "2026-11-23", to_week: "2026-11-30" },
  publishShiftWeek: { branch_id: 1, week_start: "2026-11-30", seen_version: "x" },
  saveShiftRules: { seen: { first_weekday: "monday" }, rules: { first_weekday: "sunday" } },
  addExperience: { experience: { name: { en: "Tasting" }, description: null, price_minor: 4500, branch: "main", is_active: true } },
  saveExperience: {
    seen_version: 1,
    experience: { name: { en: "Tasting" }, description: null, price_minor: 4500, branch: "main", is_active: true },
  },
  removeExperience: { seen_version: 1 },
  addExperienceSessions: { date: "2030-12-01", time: "19:00", capacity: 10, weeks: 1 },
  changeExperienceSession: { seen_version: 1, capacity: 12 },
  cancelExperienceSession: { seen_version: 1, reason: "the chef is ill" },
  bookTickets: { tickets: 2, name: "Ada", phone: "+1 555 0100", email: null },
  holdTicketsAgain: { seen_version: 1 },
  releaseTickets: { seen_version: 1 },
  payTickets: { seen_version: 1, method: "cash" },
  payTicketsWithGiftCard: { seen_version: 1, code: "TEST-CARD-0000-0000-000G" },
  refundTickets: { seen_version: 1, reason: "the guest is ill" },
  setArrivedGuests: { seen_version: 1, arrived: 1 },
  quoteStaffOrder: { type: "pickup", lines: [{ item_id: 1, quantity: 1 }] },
  placeStaffOrder: { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100", lines: [{ item_id: 1, quantity: 1 }] },
  makeBooking: { name: "Ada", phone: "+1 555 0100", party_size: 2, date: "2026-12-01", time: "19:00" },
  seatWalkIn: { party_size: 2 },
  stepBooking: { seen_version: 1, step: "arrive" },
  answerBooking: { seen_version: 1, answer: "confirm" },
  changeBooking: { seen_version: 1, note: "by the window" },
  askDeposit: { seen_version: 1, amount_minor: 1000 },
  takeDeposit: { seen_version: 1, method: "cash" },
  refundDeposit: { seen_version: 1, reason: "called in time" },
  blockTables: { starts_at: "2026-12-01T12:00:00Z", ends_at: "2026-12-01T14:00:00Z", reason: "repairs" },
  addToWaitlist: { name: "Ada", phone: "+1 555 0100", party_size: 2 },
  notifyWaiting: { seen_version: 1 },
  seatWaiting: { seen_version: 1 },
  removeWaiting: { seen_version: 1 },
  retryMessage: { seen_attempts: 1 },
  setMessageAside: { seen_attempts: 1 },
  saveFloor: { branch_id: 1, seen_version: "x", tables: [], combinations: [] },
  saveBookingRules: { seen_version: "x", rules: { party_size_max: 8 } },
  saveRestaurant: {
    seen_version: "x",
    restaurant: { name: { en: "Lab" }, default_language: "en", zone: "Europe/Rome", email: null, phone: null },
  },
  saveBranches: { seen_version: "x", branches: [{ key: "main", name: { en: "Main" }, is_default: true }] },
  closeBranchOn: { branch_id: 1, date: "2030-12-24", reason: "holiday" },
  openBranchOn: { branch_id: 1, date: "2030-12-24" },
  saveOrdering: { seen_version: "x", ordering: { delivery_fee_minor: 100 } },
  saveCharges: { seen_version: "x", charges: { taxes: [] } },
  trySampleReceipt: { charges: { taxes: [] }, type: "pickup", lines: [{ amount_minor: 1000, tax: null }] },
  connectTill: { seen_url: null, url: "https://pos.example/orders" },
  disconnectTill: { seen_url: "https://pos.example/orders" },
  compareVenueFile: { text: "{}" },
  importVenueFile: { seen_version: "x", text: "{}" },
  inviteMember: { email: "new@example.com", name: "New", role: "staff" },
  acceptInvitation: { seen_role: "staff" },
  changeRole: { seen_role: "staff", role: "manager" },
  removeMember: { seen_role: "staff", screens: "end", tokens: "end" },
  requireSecondFactor: { seen_is_required: false, is_required: false },
  signIn: { email: "a@example.com", password: "x" },
  askForReset: { email: "a@example.com" },
  readLink: { secret: "x" },
  askToSignUp: { email: "a@example.com" },
  readSignUpLink: { secret: "x" },
  openVenue: { secret: "x", person_name: "Eve", password: "long enough it is", venue: FIRST_VENUE },
  openAnotherVenue: { secret: "x", venue: FIRST_VENUE },
  useLink: { secret: "x", password: "long enough it is" },
  changeUser: { name: "Eve" },
  changePassword: { current: "x", password: "long enough it is" },
  beginSecondFactor: { password: "x" },
  confirmSecondFactor: { code: "123456" },
  registerApp: APP,
  changeApp: APP,
  rollAppSecret: { overlap: "now" },
  readConsent: { request: "x" },
  denyConsent: { request: "x" },
  allowConsent: { request: "x", scopes: ["menu:read"] },
  renewRecoveryCodes: { password: "x", code: "123456" },
  endSecondFactor: { password: "x", code: "123456" },
};

/** What a read cannot do without. `placeLabOrder` uses this number. */
export const CONSOLE_QUERIES: Record<string, string> = {
  findOrderGuest: `?phone=${encodeURIComponent("+1 555 0100")}`,
  previewMenu: "?date=2026-12-04&time=19:00",
  findBookingTimes: "?date=2026-12-01&party_size=2",
  tryBooking: "?date=2026-12-01&time=19:00&party_size=2",
  quoteWait: "?party_size=2",
  readSalesReport: "?from=2026-10-01&to=2026-10-31&by=dish",
  readServiceReport: "?from=2026-10-01&to=2026-10-31",
  listReportOrders: "?from=2026-10-01&to=2026-10-31&by=day",
};

const UNKNOWN_UUID = "01930000-0000-7000-8000-000000000000";

/** The path of a call. Without an order or a booking it names one that does not exist. */
export const fillConsolePath = (
  path: string,
  { venue, id = 1, order = UNKNOWN_UUID, reservation = UNKNOWN_UUID }: { venue: string; id?: number; order?: string; reservation?: string },
): string =>
  path
    .replace("{venue}", venue)
    .replace("{id}", String(id))
    .replace("{order}", order)
    .replace("{reservation}", reservation)
    .replace(/\{\w+\}/, UNKNOWN_UUID);

/** An order in a venue that was made from the sample "lab". */
export const placeLabOrder = async (app: TestApp, { token }: TestVenue, changes: Record<string, unknown> = {}): Promise<string> => {
  const { data } = (await app.call(token, "GET", "/items?per_page=100")).body;
  const dish = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
  const guest = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100" };
  const placed = await app.call(token, "POST", "/orders", { body: { ...guest, lines: [{ item_id: dish, quantity: 1 }], ...changes } });
  if (placed.status !== 201) throw new Error(placed.text);
  return placed.body.data.id;
};

/** Every row that a call could change. */
export const fingerprint = async (app: TestApp): Promise<string> => {
  const tables = [
    "tokens",
    "webhook_endpoints",
    "webhook_secrets",
    "deliveries",
    "sandboxes",
    "audit_entries",
    "users",
    "staff",
    "one_time_links",
    "sign_ups",
    "restaurants",
    "venue_openings",
    "sessions",
    "apps",
    "app_secrets",
    "consents",
    "installations",
    "grants",
    "orders",
    "gift_cards",
    "gift_card_entries",
    "review_requests",
    "reviews",
    "ingredients",
    "recipe_lines",
    "stock_levels",
    "stock_entries",
    "shifts",
    "experiences",
    "experience_sessions",
    "experience_bookings",
    "order_pauses",
    "items",
    "item_counts",
    "modifier_options",
    "menus",
    "categories",
    "modifier_groups",
    "happy_hours",
    "scheduled_prices",
    "tickets",
    "screens",
    "screen_pairings",
    "payments",
    "refunds",
    "reservations",
    "reservation_tables",
    "table_blocks",
    "dining_tables",
    "table_combinations",
    "settings",
    "waitlist_entries",
    "guests",
    "guest_consents",
  ];
  const sums = tables.map((table) => `select '${table}', sum(hashtextextended(t::text, 0)) from ${table} t`);
  return JSON.stringify(await app.database.asOwner(`${sums.join(" union all ")} order by 1`));
};
