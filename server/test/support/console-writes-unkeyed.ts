/** The console calls other than reads that take no key, each with its reason. A test checks the reason. */
import type { ConsoleOperationId, consoleEntries, consoleOperations } from "@comanda/contract/console/operations.ts";
import { type ConsoleAnswer, PASSWORD } from "./console-client.ts";
import { newDelivery } from "./console-writes-access.ts";
import { newGuest } from "./console-writes-guests.ts";
import { soldCard } from "./console-writes-money.ts";
import { newConsent, newUser } from "./console-writes-people.ts";
import type { ValidWrite, WritesWorld } from "./console-writes-world.ts";

type UnkeyedId = {
  [Id in ConsoleOperationId]: (typeof consoleOperations)[Id] extends { method: "GET" } | { isIdempotent: true } ? never : Id;
}[ConsoleOperationId];

/** `reads`: changes nothing. `records`: writes down each time who read it. `same`: a second press leaves what the first one left. `ends`: the first press ends the session. */
type UnkeyedReason = "reads" | "records" | "same" | "ends";
type SignedOutId = { [Id in UnkeyedId]: (typeof consoleOperations)[Id] extends { who: "anyone" } ? Id : never }[UnkeyedId];
type SignedInId = Exclude<UnkeyedId, SignedOutId>;
export type Unkeyed<Id extends SignedInId = SignedInId> = { reason: UnkeyedReason; valid: (world: WritesWorld) => Promise<ValidWrite<Id>> };

/** Made by a caller who is signed out: there is no user whose key it could be. */
const SIGNED_OUT: Record<SignedOutId, true> = {
  signIn: true,
  askForReset: true,
  askForSignInLink: true,
  readLink: true,
  useLink: true,
  useSignInLink: true,
  askToSignUp: true,
  readSignUpLink: true,
  openVenue: true,
  startPairing: true,
};

/** A call without an entry does not compile. */
export const UNKEYED: { [Id in SignedInId]: Unkeyed<Id> } = {
  checkAddress: { reason: "reads", valid: async () => ({ body: { url: "http://example.com/" } }) },
  compareVenueFile: {
    reason: "reads",
    valid: async ({ done }) => ({ body: { text: JSON.stringify((await done("GET", "/venue-file")).file) } }),
  },
  countReplays: { reason: "reads", valid: async (world) => ({ body: { ids: [await newDelivery(world, "failed")] } }) },
  exportGuest: { reason: "records", valid: async (world) => ({ params: { id: (await newGuest(world)).id }, body: {} }) },
  lookUpGiftCard: { reason: "reads", valid: async (world) => ({ body: { code: (await soldCard(world)).code } }) },
  quoteStaffOrder: {
    reason: "reads",
    valid: async ({ dish }) => ({ body: { type: "pickup", lines: [{ item_id: await dish("Plain Plate"), quantity: 1 }] } }),
  },
  readConsent: {
    reason: "reads",
    valid: async (world) => ({ body: { request: await newConsent(world) }, by: (await newUser(world)).by }),
  },
  trySampleReceipt: {
    reason: "reads",
    valid: async ({ done }) => ({
      body: { charges: (await done("GET", "/settings")).charges.value, type: "pickup", lines: [{ amount_minor: 1000, tax: null }] },
    }),
  },
  changeUser: { reason: "same", valid: async (world) => ({ body: { name: "Eve" }, by: (await newUser(world)).by }) },
  confirmPassword: {
    reason: "same",
    valid: async (world) => {
      const { by } = await newUser(world);
      world.app.clock.advance(1000);
      return { body: { password: PASSWORD }, by };
    },
  },
  signOut: { reason: "ends", valid: async (world) => ({ by: (await newUser(world)).by }) },
  signOutEverywhere: { reason: "ends", valid: async (world) => ({ by: (await newUser(world)).by }) },
  changePassword: {
    reason: "ends",
    valid: async (world) => ({ body: { current: PASSWORD, password: `${PASSWORD} two` }, by: (await newUser(world)).by }),
  },
};

/** What is neither driven with a key nor named here, and what is named wrongly. */
export const unnamedWrites = (entries: typeof consoleEntries): string[] =>
  entries
    .filter(([, { method, isIdempotent }]) => method !== "GET" && !isIdempotent)
    .filter(([id, { who }]) => !(id in (who === "anyone" ? SIGNED_OUT : UNKEYED)))
    .map(([id]) => id);

export type PressedTwice = { first: ConsoleAnswer; second: ConsoleAnswer; byFirst: string[]; bySecond: string[] };

/** The log of who did what, and that it has a new entry. */
const RECORDS = ["audit_entries", "change_counters", "changes"];

/** What differs from the reason, in words. */
export const unlikeReason = (reason: UnkeyedReason, { first, second, byFirst, bySecond }: PressedTwice): string[] => [
  ...(first.status < 300 ? [] : [`not a valid write: ${first.status} ${first.text}`]),
  ...(reason === "reads" && byFirst.length > 0 ? [`changes ${byFirst.join(", ")}`] : []),
  ...(reason !== "reads" && byFirst.length === 0 ? ["changes nothing"] : []),
  ...(reason === "ends" ? (second.status === 401 ? [] : ["does not end the session"]) : []),
  ...(reason !== "ends" && second.status !== first.status ? [`then ${second.status} ${second.text}`] : []),
  ...(bySecond.every((table) => reason === "records" && RECORDS.includes(table))
    ? []
    : [`the second press changes ${bySecond.join(", ")}`]),
];
