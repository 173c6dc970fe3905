/** What managers set for bookings: the tables and where they stand, and the rules by which guests book. */
import { type Static, Type } from "typebox";
import { Id, Nullable, Translations } from "../shared.ts";
import { BookingRules } from "../venue-file/booking-rules.ts";
import { TABLES_MAX, Table, TableCombination, TablePlace, TableShape } from "../venue-file/restaurant.ts";
import { type ConsoleOperation, Data } from "./operation.ts";

const Version = Type.String({ maxLength: 80 });
const { name, code, seats, is_active } = Table.properties;

/** One set of bounds with the venue file. */
const settings = { name, code, seats, is_active, place: Nullable(TablePlace), shape: TableShape };

const PlanTable = Type.Object({ id: Id, key: Type.String(), branch_id: Id, ...settings });
export type PlanTable = Static<typeof PlanTable>;

const PlanCombination = Type.Object({ table_ids: Type.Array(Id), seats: TableCombination.properties.seats });
export type PlanCombination = Static<typeof PlanCombination>;

/** `version` changes with the tables and combinations of the branch. A write names the version that the page saw. */
const PlanBranch = Type.Object({ id: Id, name: Translations, version: Version });

export const VenueFloor = Type.Object({
  branches: Type.Array(PlanBranch),
  tables: Type.Array(PlanTable),
  combinations: Type.Array(PlanCombination),
});
export type VenueFloor = Static<typeof VenueFloor>;

/** A table without an id is new. */
const WantedTable = Type.Object({ id: Nullable(Id), ...settings });

/** `tables` are positions in the list of tables, from 0: a new table has no id yet. */
const WantedCombination = Type.Object({
  tables: Type.Array(Type.Integer({ minimum: 0, maximum: TABLES_MAX - 1 }), { minItems: 2, maxItems: 10, uniqueItems: true }),
  seats: TableCombination.properties.seats,
});

const WantedFloor = Type.Object({
  branch_id: Id,
  seen_version: Version,
  tables: Type.Array(WantedTable, { maxItems: TABLES_MAX }),
  combinations: Type.Array(WantedCombination, { maxItems: TABLES_MAX }),
});
export type WantedFloor = Static<typeof WantedFloor>;

export const BookingRuleSet = Type.Object({ version: Version, currency: Type.String(), zone: Type.String(), rules: BookingRules });
export type BookingRuleSet = Static<typeof BookingRuleSet>;

const Read = { method: "GET", who: "manager", isService: true, needsFeature: "reservations" } as const;
const Write = { method: "PUT", who: "manager", isService: true, isIdempotent: true, needsFeature: "reservations" } as const;

export const floorOperations = {
  readFloor: { ...Read, path: "/venues/{venue}/floor", success: { status: 200, body: Data(VenueFloor) } },
  /**
   * All tables of one branch; those that are missing are removed. 409 `state_changed` when the branch is no longer as the page saw it.
   * 422 when a table that is removed or switched off has bookings to come, under `removed.{id}` or `tables.{position}.is_active`.
   */
  saveFloor: {
    ...Write,
    path: "/venues/{venue}/floor",
    bodyBytesMax: 1024 * 1024,
    body: WantedFloor,
    success: { status: 200, body: Data(VenueFloor) },
  },
  readBookingRules: { ...Read, path: "/venues/{venue}/booking-rules", success: { status: 200, body: Data(BookingRuleSet) } },
  /** 409 `state_changed` when the rules are no longer as the page saw them. */
  saveBookingRules: {
    ...Write,
    path: "/venues/{venue}/booking-rules",
    bodyBytesMax: 64 * 1024,
    body: Type.Object({ seen_version: Version, rules: BookingRules }),
    success: { status: 200, body: Data(BookingRuleSet) },
  },
} as const satisfies Record<string, ConsoleOperation>;
