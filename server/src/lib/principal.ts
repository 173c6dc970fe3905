/** A principal makes a request: a bearer token, a signed-in user or a paired screen. */
import type { ScreenPurpose } from "@comanda/contract/console/operation.ts";
import type { Membership } from "@comanda/contract/console/session.ts";
import type { Feature } from "@comanda/contract/scopes.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { Actor, Tenant } from "./context.ts";

/** The person or app that a bearer token acts for (open points D27–D31). */
export type Principal = {
  readonly tokenId: number;
  /** Set for a token of a marketplace app. */
  readonly appId: number | null;
  readonly tenant: Tenant;
  readonly actor: Actor;
  readonly features: readonly Feature[];
  readonly plan_until: Date | null;
  readonly suspended_at: Date | null;
  readonly expires_at: Date | null;
  /** Requests per minute of this token or plan; null means the service's default. */
  readonly ratePerMinute: number | null;
  /** A fault of the sandbox's answers may be due. */
  readonly hasFaults: boolean;
  /** Changes with every value above but `hasFaults` and the clock of a sandbox. */
  readonly accessDigest: string;
  /** Changes with every value above. */
  readonly digest: string;
};

/** What the token of a request may do. `ratePerMinute` is the limit by which the request was counted. */
export type TokenAccess = Omit<Principal, "ratePerMinute"> & { readonly ratePerMinute: number };

/** How a token ended that was valid once. The expired access token of an app is followed by another. */
export type TokenEnding = "revoked" | "expired" | "expired access";

export type SessionUser = {
  id: number;
  email: string;
  name: string;
  locale: string | null;
  has_second_factor: boolean;
  recovery_codes_left: number;
};

/** A venue that the user is a member of. */
export type SessionVenue = Pick<Membership, "slug" | "name" | "role" | "default_language"> & {
  restaurant_id: number;
  staff_id: number;
  staff_name: string;
  /** The venue asks it of a person with this role. */
  needs_second_factor: boolean;
  has_reservations: boolean;
  has_reporting: boolean;
  /** Opened in the browser, and not live yet. */
  is_opening: boolean;
  /** Null while the venue has no open sandbox. */
  sandbox_id: number | null;
  /** The use of this venue by this session has to be written down. */
  is_use_due: boolean;
  /** An owner ended the session in this venue, so it gives no access there. */
  is_ended: boolean;
};

export type UserSession = SessionUser & {
  session_id: number;
  /** When the password was last given in this session. Null after a sign-in by link. */
  password_at: Date | null;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  venues: SessionVenue[];
};

/** A device of a venue without a person. */
export type PairedScreen = {
  id: number;
  restaurant_id: number;
  venue_name: Translations;
  purpose: ScreenPurpose;
  name: string;
  branch_id: number | null;
  stations: string[];
  language: "en" | "ar";
  has_sound: boolean;
  client: string | null;
  paired_by: string;
  paired_at: Date;
  seen_at: Date;
};
