/** What managers set for the venue as a whole: the restaurant, its branches, ordering rules and charges, with the bounds of the venue file. */
import { type Static, Type } from "typebox";
import { CalendarDate, Currency, Id, Minor, Nullable } from "../shared.ts";
import { Order, OrderType } from "../venue/orders.ts";
import { Charges } from "../venue-file/charges.ts";
import { Key } from "../venue-file/fields.ts";
import { OrderingRules } from "../venue-file/ordering-rules.ts";
import { BRANCHES_MAX, Branch, ClosingDay, Restaurant } from "../venue-file/restaurant.ts";
import { type ConsoleOperation, Count, Data, Instant } from "./operation.ts";

/** Changes with the part that it stands beside. A write names the version that the page saw. */
const Version = Type.String({ maxLength: 80 });

const { name, default_language, zone, email, phone } = Restaurant.properties;

export const RestaurantDetails = Type.Object({ name, default_language, zone, email, phone });
export type RestaurantDetails = Static<typeof RestaurantDetails>;

/** What a file holds of a branch, besides its key. */
const { key: _, ...branchFields } = Branch.properties;

const VenueBranch = Type.Object({ id: Id, key: Key, ...branchFields });
export type VenueBranch = Static<typeof VenueBranch>;

/** A new branch has no key, or one that the page made. */
const WantedBranch = Type.Object({ key: Nullable(Key), ...branchFields });
export type WantedBranch = Static<typeof WantedBranch>;

const RestaurantPart = Type.Object({ version: Version, slug: Type.String(), currency: Currency, value: RestaurantDetails });
/** In the owner's order, with closing days in order of their dates. */
const BranchesPart = Type.Object({ version: Version, value: Type.Array(VenueBranch) });
const OrderingPart = Type.Object({ version: Version, value: OrderingRules });
const ChargesPart = Type.Object({ version: Version, value: Charges });

export const VenueSettingParts = Type.Object({
  restaurant: RestaurantPart,
  branches: BranchesPart,
  ordering: OrderingPart,
  charges: ChargesPart,
});
export type VenueSettingParts = Static<typeof VenueSettingParts>;

/** `bookings`: how many are to come in that branch on that date. They stay as they are. */
const BranchDay = Type.Object({ branches: BranchesPart, bookings: Count });
export type BranchDay = Static<typeof BranchDay>;

const DateToClose = Type.Object({ branch_id: Id, date: CalendarDate, reason: ClosingDay.properties.reason });
export type DateToClose = Static<typeof DateToClose>;
const DateToOpen = Type.Object({ branch_id: Id, date: CalendarDate });
export type DateToOpen = Static<typeof DateToOpen>;

/** An amount and its tax; without a key it has the default tax. */
const SampleLine = Type.Object({ amount_minor: Minor, tax: Nullable(Key) });

/** Without a fee a delivery has the flat fee of the venue. Promotions are those of the moment `at`, or of now. */
const SampleOrder = Type.Object({
  charges: Charges,
  type: OrderType,
  lines: Type.Array(SampleLine, { minItems: 1, maxItems: 50 }),
  delivery_fee_minor: Type.Optional(Minor),
  at: Type.Optional(Instant),
});
export type SampleOrder = Static<typeof SampleOrder>;

const { subtotal_minor, discount_minor, service_charge_minor, tax_added_minor, delivery_fee_minor, total_minor, tax_breakdown } =
  Order.properties;

export const SampleReceipt = Type.Object({
  subtotal_minor,
  discount_minor,
  service_charge_minor,
  tax_added_minor,
  delivery_fee_minor,
  total_minor,
  tax_breakdown,
});
export type SampleReceipt = Static<typeof SampleReceipt>;

const KIB = 1024;
const Write = { who: "manager", isService: true, isIdempotent: true } as const;

/** Every write answers 409 `state_changed` with the present part when it is no longer as the page saw it. Faults have the paths of the file. */
export const venueSettingsOperations = {
  readVenueSettings: {
    method: "GET",
    path: "/venues/{venue}/settings",
    who: "manager",
    isService: true,
    success: { status: 200, body: Data(VenueSettingParts) },
  },
  saveRestaurant: {
    ...Write,
    method: "PUT",
    path: "/venues/{venue}/settings/restaurant",
    who: "owner",
    bodyBytesMax: 64 * KIB,
    body: Type.Object({ seen_version: Version, restaurant: RestaurantDetails }),
    success: { status: 200, body: Data(RestaurantPart) },
  },
  /**
   * All branches in their order; those that are missing are removed, with their tables. 422 under `removed.{key}` when a branch that is
   * removed is the default one or has bookings or tickets to come.
   */
  saveBranches: {
    ...Write,
    method: "PUT",
    path: "/venues/{venue}/settings/branches",
    bodyBytesMax: 1024 * KIB,
    body: Type.Object({
      seen_version: Version,
      branches: Type.Array(WantedBranch, { minItems: 1, maxItems: BRANCHES_MAX }),
    }),
    success: { status: 200, body: Data(BranchesPart) },
  },
  /** The page saw the branch without this closing day: 409 when it has it already. */
  closeBranchOn: {
    ...Write,
    method: "POST",
    path: "/venues/{venue}/closing-days",
    body: DateToClose,
    success: { status: 200, body: Data(BranchDay) },
  },
  /** The page saw the closing day: 409 when it is gone. */
  openBranchOn: {
    ...Write,
    method: "POST",
    path: "/venues/{venue}/opening-days",
    body: DateToOpen,
    success: { status: 200, body: Data(BranchDay) },
  },
  saveOrdering: {
    ...Write,
    method: "PUT",
    path: "/venues/{venue}/settings/ordering",
    bodyBytesMax: 1024 * KIB,
    body: Type.Object({ seen_version: Version, ordering: OrderingRules }),
    success: { status: 200, body: Data(OrderingPart) },
  },
  /** 422 under `removed.{key}` when dishes have a tax that is removed. */
  saveCharges: {
    ...Write,
    method: "PUT",
    path: "/venues/{venue}/settings/charges",
    bodyBytesMax: 512 * KIB,
    body: Type.Object({ seen_version: Version, charges: Charges }),
    success: { status: 200, body: Data(ChargesPart) },
  },
  /** What an order would cost with these charges. It stores nothing. */
  trySampleReceipt: {
    method: "POST",
    path: "/venues/{venue}/sample-receipts",
    who: "manager",
    isService: true,
    bodyBytesMax: 512 * KIB,
    perMinute: 120,
    body: SampleOrder,
    success: { status: 200, body: Data(SampleReceipt) },
  },
} as const satisfies Record<string, ConsoleOperation>;
