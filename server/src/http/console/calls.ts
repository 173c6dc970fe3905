/** What the handlers of console calls get and answer: one kind of handler for each kind of call in the contract. */
import type { ConsoleOperation } from "@comanda/contract/console/operation.ts";
import type { ConsoleOperationId, consoleOperations, IdsOfKind } from "@comanda/contract/console/operations.ts";
import type { FastifyRequest } from "fastify";
import type { Static, TObject } from "typebox";
import type { Actor, Ctx, GlobalContext, LockMode } from "#lib/context.ts";
import type { KeptJson } from "#lib/kept-json.ts";
import type { Source } from "#lib/network-source.ts";
import type { PairedScreen, UserSession } from "#lib/principal.ts";
import type { OnceForUser, RunOnce } from "./answer-once.ts";

type ConsoleOperationOf<I extends ConsoleOperationId> = (typeof consoleOperations)[I];
type ConsoleBodyOf<O> = O extends { body: infer B extends TObject } ? Static<B> : undefined;
type ConsoleQueryOf<O> = O extends { query: infer Q extends TObject } ? Static<Q> : undefined;

export type ConsoleCall<I extends ConsoleOperationId> = {
  id: number;
  /** The order, reservation or other subject of the path that has a UUID. */
  uuid: string;
  /** The service's address from the settings, or else from this request. */
  rootUrl: string;
  query(): ConsoleQueryOf<ConsoleOperationOf<I>>;
  body(): ConsoleBodyOf<ConsoleOperationOf<I>>;
};

export type AnyAnswer = { data: unknown };
type Answer<I extends ConsoleOperationId> = Static<ConsoleOperationOf<I>["success"]["body"]> & AnyAnswer;
/** As an object, or as bytes that are kept. */
type AnswerOrKept<A> = A | (A extends { data: infer D extends object } ? { data: KeptJson<D> } : never);

/** A role in a venue. */
export type VenueCallId = IdsOfKind<"venue">;
export type VenueCalls = {
  [I in VenueCallId]: (ctx: Ctx, call: ConsoleCall<I>) => Promise<AnswerOrKept<Answer<I>> & AnyAnswer>;
};

/**
 * `inVenue` checks the role, so it comes first. `once` is around the effect, in the last of the transactions. `isAnswered` is for an effect
 * of an earlier one.
 */
export type VenueTransactions = { inVenue: RunInVenue; inTenant: RunInTenant } & Pick<OnceForUser, "once" | "isAnswered">;
export type MultiTransactionCallId = IdsOfKind<"multi-transaction">;
export type MultiTransactionCalls = {
  [I in MultiTransactionCallId]: (venues: VenueTransactions, call: ConsoleCall<I>) => Promise<Answer<I>>;
};

export type SessionCallId = IdsOfKind<"session">;
export type SessionCalls = { [I in SessionCallId]: (caller: SessionCaller, call: ConsoleCall<I>) => Promise<Answer<I>> };

export type PublicCallId = IdsOfKind<"public">;
export type PublicCalls = { [I in PublicCallId]: (caller: PublicCaller, call: ConsoleCall<I>) => Promise<Answer<I>> };

/** The venue is that of the screen. */
export type ScreenCallId = IdsOfKind<"screen">;
export type ScreenCalls = { [I in ScreenCallId]: (ctx: Ctx, call: ConsoleCall<I>, screen: PairedScreen) => Promise<Answer<I>> };

export type RunInVenue = <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>;
export type TenantTarget = { tenant: Ctx["tenant"]; sandboxLock?: LockMode };
export type RunInTenant = <T>(target: TenantTarget, work: (ctx: Ctx) => Promise<T>) => Promise<T>;
/** A transaction without a tenant. */
export type RunGlobally = <T>(work: (ctx: GlobalContext) => Promise<T>) => Promise<T>;
/** A venue that does not exist yet, and who makes it. `prepare` runs again, with the number of the attempt, when the slug was taken meanwhile. */
export type NewVenue = { tenant: Omit<Ctx["tenant"], "id">; actor: Actor };
export type RunInNewVenue = <T>(prepare: (attempt: number) => Promise<NewVenue>, work: (ctx: Ctx) => Promise<T>) => Promise<T>;
export type InvitingVenue = { restaurantId: number; email: string };
export type RunInInvitingVenue = <T>(invitation: InvitingVenue, work: (ctx: Ctx) => Promise<T>) => Promise<T>;

export type RateBucket = { key: string; limit: number; windowSeconds: number };

export type PublicCaller = {
  cookie: string;
  now: Date;
  client: string | null;
  /** Around the effect of a call that has a key, in its transaction. */
  once: RunOnce;
  inGlobalTransaction: RunGlobally;
  inNewVenue: RunInNewVenue;
  /** The venue of an invitation whose link the caller holds. */
  inInvitingVenue: RunInInvitingVenue;
  /** The caller's host and network. */
  source: Source;
  /** Null removes the cookie. */
  setCookie(value: string | null): void;
  /** The secret of a screen that is paired, or waits for it. */
  screenCookie: string | null;
  setScreenCookie(value: string): void;
  /** The device secrets of this browser: one for each account, the latest first. */
  devices: readonly string[];
  rememberDevice(secret: string): void;
  /** Counts attempts of this kind per minute and address. Several users may share an address. */
  count(kind: string, limit: number): Promise<void>;
  /** Counts one more in the bucket; throws `rate_limited` over the limit. */
  countIn(bucket: RateBucket): Promise<void>;
  isFull(bucket: RateBucket): Promise<boolean>;
  /** Counts one more and never throws for the limit. */
  record(bucket: RateBucket): Promise<void>;
  refund(bucket: RateBucket): Promise<void>;
};

export type SessionCaller = PublicCaller & { session: UserSession };

/** `session` is null for a public call. */
export type AuthenticatedCall<S extends UserSession | null = UserSession> = {
  request: FastifyRequest;
  operation: ConsoleOperation;
  session: S;
};
export type AuthenticatedScreen = { request: FastifyRequest; operation: ConsoleOperation; screen: PairedScreen };

/**
 * The composition passes these in, because http imports no module. Each transaction of a write locks the session and membership that
 * it relies on, and checks both again.
 */
export type ConsoleHandlers = {
  authenticate(cookie: string, slug: string | null, now: Date): Promise<UserSession | null>;
  authenticateScreen(cookie: string): Promise<PairedScreen | null>;
  /** Runs a transaction of the venue. A user without the role, and an unknown venue, get the same error. */
  inVenue<T>(call: AuthenticatedCall, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  inTenant<T>(call: AuthenticatedCall, target: TenantTarget, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Runs a transaction of the screen's venue. A write gets the screen as it is under the transaction's locks. */
  inScreenVenue<T>(call: AuthenticatedScreen, work: (ctx: Ctx, screen: PairedScreen) => Promise<T>): Promise<T>;
  inGlobalTransaction<T>(call: AuthenticatedCall<UserSession | null>, work: (ctx: GlobalContext) => Promise<T>): Promise<T>;
  inNewVenue(call: AuthenticatedCall<UserSession | null>): RunInNewVenue;
  inInvitingVenue(call: AuthenticatedCall<UserSession | null>): RunInInvitingVenue;
  publicCalls: PublicCalls;
  sessionCalls: SessionCalls;
  venueCalls: VenueCalls;
  multiTransactionCalls: MultiTransactionCalls;
  screenCalls: ScreenCalls;
};
