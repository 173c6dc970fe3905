/** The server under test: its addresses, its venues and their tokens, read from the file named in CONFORMANCE_TARGET. */
import { readFileSync } from "node:fs";
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";

const NAMED_TOKENS = ["full", "full_2", "default_rate", "rate_5", "no_scopes", "expired", "revoked"] as const;
export type TokenName = (typeof NAMED_TOKENS)[number] | Scope;

export type Venue = {
  readonly slug: string;
  readonly restaurant_id: number;
  readonly currency: string;
  readonly default_language: string;
  /** IANA name; if given, the offset of date-times is checked against it. */
  readonly zone?: string;
  readonly plan: string;
  readonly state: "active" | "lapsed" | "suspended";
  readonly tokens: Readonly<Record<TokenName, string>>;
  /** New: only this kit has used it. */
  readonly sandbox?: { readonly restaurant_id: number; readonly token: string };
};

type Client = { readonly client_id: string; readonly client_secret: string; readonly redirect_uri: string };
type TestAccount = { readonly email: string; readonly password: string };

/** What the OAuth flow needs; `browser` is a command that signs people in and decides for them (see README.md). */
export type OAuthTarget = {
  readonly venue: string;
  readonly client: Client;
  readonly other_client: Client;
  readonly people: { readonly owner: TestAccount; readonly manager: TestAccount; readonly stranger: TestAccount };
  readonly browser: readonly string[];
};

/** What the tests of events need; without it they are skipped (see README.md). */
export type EventsTarget = {
  /** The sandbox in which the events are triggered. */
  readonly restaurant_id: number;
  /** A command that triggers the events whose types are appended to it. */
  readonly trigger: readonly string[];
  /** The kit listens on this port. An address of the sandbox leads to it, and has this secret. */
  readonly receiver: { readonly port: number; readonly secret: string; readonly tls?: { readonly cert: string; readonly key: string } };
};

export type Target = {
  readonly base_url: string;
  readonly root_url: string;
  readonly venues: readonly Venue[];
  readonly oauth?: OAuthTarget;
  readonly events?: EventsTarget;
};

const readTarget = (): Target => {
  const path = process.env.CONFORMANCE_TARGET;
  if (!path) throw new Error("Set CONFORMANCE_TARGET to the path of a target file (see conformance/README.md).");
  const target = JSON.parse(readFileSync(path, "utf8")) as Target;
  for (const venue of target.venues)
    for (const name of [...NAMED_TOKENS, ...ALL_SCOPES])
      if (!venue.tokens[name]) throw new Error(`${path}: the venue ${venue.slug} has no token "${name}".`);
  return target;
};

export const target = readTarget();

const venueThat = (description: string, fits: (venue: Venue) => boolean): Venue => {
  const venue = target.venues.find(fits);
  if (!venue) throw new Error(`The target file has no venue that is ${description}.`);
  return venue;
};

export const activeVenues = target.venues.filter(({ state }) => state === "active");

/** The venue whose menu is made for these tests; they add dishes to it and change only those. */
export const lab = venueThat('called "lab"', ({ slug }) => slug === "lab");
/** Another restaurant of the same server. */
export const neighbour = venueThat("active beside the lab", (venue) => venue.state === "active" && venue !== lab);
/** A third restaurant, whose default-rate token no other test touches. */
export const counted = venueThat(
  "active beside the lab and its neighbour",
  (venue) => venue.state === "active" && venue !== lab && venue !== neighbour,
);
export const suspended = venueThat("suspended", ({ state }) => state === "suspended");
export const lapsed = venueThat("without a plan in force", ({ state }) => state === "lapsed");
/** Its plan has neither reservations nor reporting. */
export const essential = venueThat('on the plan "essential"', ({ plan, state }) => plan === "essential" && state === "active");

/** A restaurant with a sandbox. */
export const sandboxed = venueThat("active and has a sandbox", (venue) => venue.state === "active" && venue.sandbox !== undefined);

/** The sandbox as a venue like any other; its one token stands in for all, because it has every scope. */
export const sandbox: Venue = {
  ...sandboxed,
  slug: `the sandbox of ${sandboxed.slug}`,
  restaurant_id: sandboxed.sandbox?.restaurant_id ?? 0,
  plan: "complete",
  tokens: Object.fromEntries([...NAMED_TOKENS, ...ALL_SCOPES].map((name) => [name, sandboxed.sandbox?.token ?? ""])) as Venue["tokens"],
};
