/** A venue as one file: taken out, compared with the venue, and put in. People are left out of it, and are never changed by it. */
import { type Static, Type } from "typebox";
import { Literals } from "../shared.ts";
import { VenueFile } from "../venue-file/venue-file.ts";
import { type ConsoleOperation, Count, Data } from "./operation.ts";

const Version = Type.String({ maxLength: 80 });

const MIB = 1024 * 1024;
/** The limit of a file's text. A menu of 500 dishes in two languages has less than one MiB. */
const FILE_LENGTH_MAX = 3 * MIB;

/** A text, so that a fault in its JSON is reported with its place, and so that the bounds are those of a file. */
const FileText = Type.String({ minLength: 1, maxLength: FILE_LENGTH_MAX });

export const FILE_AREAS = [
  "restaurant",
  "branches",
  "tables",
  "table_combinations",
  "menus",
  "categories",
  "items",
  "modifier_groups",
  "happy_hours",
  "ingredients",
  "recipes",
  "experiences",
  "ordering",
  "booking",
  "taxes",
  "promotions",
  "charges",
  "reviews",
  "shifts",
] as const;
export type FileArea = (typeof FILE_AREAS)[number];

export const FILE_NAMES_MAX = 20;

/** `names`: the first of them; of the restaurant and of rules, the names of members in the file. */
const NamedCount = Type.Object({ count: Count, names: Type.Array(Type.String(), { maxItems: FILE_NAMES_MAX }) });
export type NamedCount = Static<typeof NamedCount>;

/** Only areas that differ are listed. `is_reordered`: what stays is in another order. */
const AreaChange = Type.Object({
  area: Literals(FILE_AREAS),
  created: NamedCount,
  changed: NamedCount,
  removed: NamedCount,
  is_reordered: Type.Boolean(),
});
export type AreaChange = Static<typeof AreaChange>;

/** `version` is that of the venue as it was compared. `left_out`: people in the file. */
export const FileComparison = Type.Object({
  version: Version,
  areas: Type.Array(AreaChange),
  left_out: Type.Object({ staff: Count, guests: Count }),
});
export type FileComparison = Static<typeof FileComparison>;

const PATH = "/venues/{venue}/venue-file" as const;

/**
 * Slug, currency and plan of the venue stay. 422 has the faults by their place in the file, `text` when it is no JSON, and
 * `removed.{area}.{key}` for what has bookings or tickets to come, or tickets that are not refunded.
 */
export const venueFileOperations = {
  /** Without a plan in force too, so that an owner can take the venue along. */
  exportVenueFile: {
    method: "GET",
    path: PATH,
    who: "owner",
    perMinute: 20,
    success: { status: 200, body: Data(Type.Object({ version: Version, file: VenueFile })) },
  },
  /** What an import would change. It stores nothing. */
  compareVenueFile: {
    method: "POST",
    path: `${PATH}/comparison`,
    who: "owner",
    isService: true,
    bodyBytesMax: 4 * MIB,
    perMinute: 20,
    body: Type.Object({ text: FileText }),
    success: { status: 200, body: Data(FileComparison) },
  },
  /**
   * All or nothing. 409 `state_changed` when the venue is no longer as it was compared. 429 after 20 imports of the venue in an hour that
   * changed something, or 60 in a day.
   */
  importVenueFile: {
    method: "PUT",
    path: PATH,
    who: "owner",
    isService: true,
    isIdempotent: true,
    bodyBytesMax: 4 * MIB,
    perMinute: 10,
    body: Type.Object({ seen_version: Version, text: FileText }),
    success: { status: 200, body: Data(FileComparison) },
  },
} as const satisfies Record<string, ConsoleOperation>;
