/** Paired screens: devices of a venue without a person, such as the screen in the kitchen. */
import { type Static, Type } from "typebox";
import { Id, Literals, Nullable, Translations } from "../shared.ts";
import { type ConsoleOperation, Data, Done, Instant, SCREEN_PURPOSES } from "./operation.ts";
import { BoardBranch } from "./orders.ts";

const Station = Type.String({ minLength: 1, maxLength: 60 });

const settings = {
  name: Type.String({ minLength: 1, maxLength: 60, pattern: "\\S" }),
  /** Null: all branches. */
  branch_id: Nullable(Id),
  /** None: all stations, as the person who hands the dishes out needs it. */
  stations: Type.Array(Station, { maxItems: 20, uniqueItems: true }),
  language: Literals(["en", "ar"]),
  has_sound: Type.Boolean(),
};

export const Screen = Type.Object({
  id: Id,
  purpose: Literals(SCREEN_PURPOSES),
  ...settings,
  /** The browser that was paired, as it names itself. */
  browser: Nullable(Type.String()),
  system: Nullable(Type.String()),
  paired_by: Type.String(),
  paired_at: Instant,
  seen_at: Instant,
});
export type Screen = Static<typeof Screen>;

export const Screens = Type.Object({
  screens: Type.Array(Screen),
  /** What can be chosen for a screen. */
  branches: Type.Array(BoardBranch),
  stations: Type.Array(Type.String()),
});
export type Screens = Static<typeof Screens>;

/** What the device itself knows. `pairing` shows the code that a manager types. `none`: it was never paired, or was ended. */
export const ScreenState = Type.Object({
  state: Literals(["none", "pairing", "paired"]),
  code: Nullable(Type.String()),
  expires_at: Nullable(Instant),
  screen: Nullable(Screen),
  venue_name: Nullable(Translations),
});
export type ScreenState = Static<typeof ScreenState>;

const SCREENS_PATH = "/venues/{venue}/screens" as const;

export const screenOperations = {
  listScreens: { method: "GET", path: SCREENS_PATH, who: "manager", success: { status: 200, body: Data(Screens) } },
  /** Gives the device that shows the code access as a screen. 422 `code` when it is mistyped, no device shows it, or it is older than ten minutes. */
  pairScreen: {
    method: "POST",
    path: SCREENS_PATH,
    who: "manager",
    isIdempotent: true,
    isService: true,
    needsRecentPassword: true,
    perMinute: 10,
    body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 40 }), purpose: Literals(SCREEN_PURPOSES), ...settings }),
    success: { status: 201, body: Data(Screen) },
  },
  changeScreen: {
    method: "PATCH",
    path: `${SCREENS_PATH}/{id}`,
    who: "manager",
    isIdempotent: true,
    body: Type.Partial(Type.Object(settings)),
    success: { status: 200, body: Data(Screen) },
  },
  endScreen: {
    method: "DELETE",
    path: `${SCREENS_PATH}/{id}`,
    who: "manager",
    isIdempotent: true,
    revokes: "venue",
    success: { status: 200, body: Done },
  },
  /** Begins a pairing: this device shows the code. A pairing that was begun before ends. */
  startPairing: { method: "POST", path: "/screen/pairing", who: "anyone", success: { status: 201, body: Data(ScreenState) } },
  readScreen: { method: "GET", path: "/screen", who: "anyone", success: { status: 200, body: Data(ScreenState) } },
} as const satisfies Record<string, ConsoleOperation>;
