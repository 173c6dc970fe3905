/** A console call as data: role, input and output. It is not part of the public API. */
import { type Static, type TObject, type TSchema, Type } from "typebox";
import { ALL_SCOPES, type Feature } from "../scopes.ts";
import { Literals, Nullable } from "../shared.ts";

export const CONSOLE_PREFIX = "/console/api";

/** What a person may do in a venue, the most powerful first (open point D35). */
export const ROLES = ["owner", "manager", "staff"] as const;
export const Role = Literals(ROLES);
export type Role = Static<typeof Role>;

/** What a screen is for, and with it what it may do. */
export const SCREEN_PURPOSES = ["kitchen"] as const;
export type ScreenPurpose = (typeof SCREEN_PURPOSES)[number];

export type ConsoleOperation = {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** `{venue}` is the venue's slug; `{id}` an integer; `{order}`, `{reservation}` and others are UUIDs. */
  readonly path: `/${string}`;
  /**
   * `anyone` may be signed out; `person` is signed in; a role is held in the venue of the path, or a more powerful one. `invited` is a
   * person who was invited to the venue of the path, even if the invitation ended or was accepted. `screen` is a paired device, whose
   * cookie is read on paths below `/screen` alone.
   */
  readonly who: "anyone" | "person" | "invited" | "screen" | Role;
  /** The call cannot be one transaction: a sandbox is a tenant of its own, and no transaction stays open while something is sent. */
  readonly isMultiTransaction?: true;
  /** Which screens may make the call. */
  readonly purposes?: readonly ScreenPurpose[];
  /** Works in the venue's sandbox too: `{venue}` may be its slug. The role is that in the venue. All other calls answer 404 there. */
  readonly worksInSandbox?: true;
  /** The call ends access of this kind. It is answered after the writes that rely on that access have ended. */
  readonly revokes?: "venue" | "sandbox" | "person";
  /**
   * The call grants access to data: it answers `password_required` unless the password was confirmed in this session within ten minutes.
   */
  readonly needsRecentPassword?: true;
  /** Part of running the venue: refused without a plan in force; its writes are refused while the venue is suspended. */
  readonly isService?: true;
  /** Refused without a plan in force, and allowed while the venue is suspended: it sends something for the venue. */
  readonly needsPlan?: true;
  /** Refused where the venue's plan does not include it. */
  readonly needsFeature?: Feature;
  /** Allowed while the venue is suspended: it finishes orders that were placed before. */
  readonly finishesOrders?: true;
  /** Takes an `Idempotency-Key`. Its caller is the user, in this venue where the path names one and in any session, or the screen. */
  readonly isIdempotent?: true;
  /** Its answer holds a secret that is shown once. Where such an answer is stored for a key, only that key can read it. */
  readonly showsSecret?: true;
  readonly query?: TObject;
  readonly body?: TObject;
  /** Overrides the default limit of a few kilobytes. */
  readonly bodyBytesMax?: number;
  /** Rate limit per user, for calls with outbound requests or expensive queries. */
  readonly perMinute?: number;
  /** It tries a code that a guest holds: all such calls share a limit per user and one per venue, whatever they answer. */
  readonly triesCodes?: true;
  readonly success: { readonly status: 200 | 201 | 202; readonly body: TSchema };
};

/** UTC; the console shows it in the user's time zone. The format refuses dates that do not exist. */
export const Instant = Type.String({ format: "date-time", pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{3})?Z$" });

export const Count = Type.Integer({ minimum: 0 });

/** The last 24 hours, hour by hour, the oldest first. */
export const HourlyRequests = Type.Array(Type.Object({ requests: Count, errors: Count, limited: Count }));

export const SomeScopes = Type.Array(Literals(ALL_SCOPES), { minItems: 1, maxItems: ALL_SCOPES.length });

const HOUR_MS = 60 * 60 * 1000;

/** How long an old secret still works beside its successor. */
export const GRACE_PERIOD_MS = { now: 0, "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 7 * 24 * HOUR_MS } as const;
export const GracePeriod = Literals(Object.keys(GRACE_PERIOD_MS) as (keyof typeof GRACE_PERIOD_MS)[]);
export type GracePeriod = Static<typeof GracePeriod>;

export const Data = <D extends TSchema>(data: D) => Type.Object({ data });

/** `next` goes back into the query as `before`; null at the end. */
export const Rows = <D extends TSchema>(row: D) => Type.Object({ data: Type.Array(row), next: Nullable(Type.Integer()) });

export const Done = Type.Object({ data: Type.Object({}) });

export const Before = {
  before: Type.Optional(Type.Integer({ minimum: 1 })),
  rows: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
};
