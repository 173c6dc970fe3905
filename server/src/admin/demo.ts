/** Sample venues in every state, with a set of tokens each: for a first try, and as the target of the conformance kit. */
import { readFileSync } from "node:fs";
import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { Command } from "commander";
import { importVenue } from "#compose/import-venue.ts";
import type { Deps } from "#deps.ts";
import { bookNextEvening } from "#dev/demo-evening/demo-bookings.ts";
import type { Ctx } from "#lib/context.ts";
import { ApiError } from "#lib/errors.ts";
import { createToken, listTokens, revokeToken } from "#platform/programs/tokens/service.ts";
import { changePlanState, readRestaurant, stateOf } from "#platform/tenants/service.ts";
import type { PlanStateChange } from "#platform/tenants/store.ts";
import { readItems } from "#venue/menu/service/items.ts";
import { readOrders } from "#venue/orders/service/reads.ts";
import { placeOrder } from "#venue/orders/service.ts";
import { parseVenueFile } from "#venue/setup/venue-file/service.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { createMarket } from "./demo-market.ts";
import { print } from "./print.ts";
import { freshSandbox } from "./sandbox.ts";

const PREFIX = "demo: ";
const UNLIMITED = 1_000_000;

const sample = (name: string): VenueFile => parseVenueFile(readFileSync(new URL(`../../samples/${name}.json`, import.meta.url), "utf8"));

type DemoVenue = {
  file: string;
  slug?: string;
  /** What sets it apart from the sample it is made from. */
  change?: (file: VenueFile) => void;
  standing?: (now: Date) => PlanStateChange;
  hasSandbox?: true;
};

const VENUES: DemoVenue[] = [
  { file: "trattoria", hasSandbox: true },
  { file: "gulf-cafe" },
  { file: "lab" },
  { file: "lab", slug: "demo-lapsed", standing: (now) => ({ plan_until: now }) },
  { file: "lab", slug: "demo-suspended", standing: (now) => ({ suspended_at: now }) },
  {
    file: "lab",
    slug: "demo-essential",
    change: ({ ordering }) => {
      ordering.types = ordering.types.filter(({ type }) => type !== "delivery");
    },
    standing: () => ({ plan: "essential" }),
  },
];

type TokenPlan = { scopes: Scope[]; rate?: number | null; isExpired?: true; isRevoked?: true };

const TOKENS: Record<string, TokenPlan> = {
  full: { scopes: ALL_SCOPES },
  full_2: { scopes: ALL_SCOPES },
  default_rate: { scopes: ALL_SCOPES, rate: null },
  rate_5: { scopes: ALL_SCOPES, rate: 5 },
  no_scopes: { scopes: [] },
  expired: { scopes: ALL_SCOPES, isExpired: true },
  revoked: { scopes: ALL_SCOPES, isRevoked: true },
  ...Object.fromEntries(ALL_SCOPES.map((scope) => [scope, { scopes: [scope] }])),
};

/** `alwaysOpen` is the venue in which an evening is under way at any hour of the day. */
type DemoOptions = { tokenNames?: readonly string[]; alwaysOpen?: string | null };

const openAroundTheClock = ({ branches, menus, booking }: VenueFile): void => {
  booking.service_periods = null;
  for (const branch of branches) branch.hours = null;
  for (const menu of menus) menu.hours = null;
};

export type Demo = Awaited<ReturnType<typeof createDemo>>;

/** Tokens are new each time, because only their hashes are kept; those of the last run are revoked. The conformance kit needs them all. */
export const createDemo = async (deps: Deps, rootUrl: string, options: DemoOptions = {}) => {
  const { tokenNames = Object.keys(TOKENS), alwaysOpen = null } = options;
  const venues = [];
  for (const { file, slug, change, standing, hasSandbox } of VENUES) {
    const venueFile = sample(file);
    change?.(venueFile);
    if (venueFile.restaurant.slug === alwaysOpen) openAroundTheClock(venueFile);
    if (slug) venueFile.restaurant = { ...venueFile.restaurant, slug };
    const imported = await importVenue(deps, venueFile);
    const { tokens, row } = await forVenue(deps, imported.slug, async (ctx) => {
      await placeFirstOrder(ctx);
      if (standing) await changePlanState(ctx, standing(ctx.now));
      return { tokens: await renewTokens(ctx, tokenNames), row: await readRestaurant(ctx.db, ctx.tenant.id) };
    });
    const { currency, default_language, zone, plan } = row;
    const sandbox = hasSandbox ? { sandbox: await freshSandbox(deps, imported.slug, UNLIMITED) } : {};
    venues.push({ ...imported, currency, default_language, zone, plan, state: stateOf(row, deps.clock.now()), tokens, ...sandbox });
  }
  return { base_url: `${rootUrl}/api/v1`, root_url: rootUrl, venues };
};

/** Gives every list something to show, even where nothing more can be placed. */
const placeFirstOrder = async (ctx: Ctx): Promise<void> => {
  if ((await readOrders(ctx, {}, null, 1)).rows.length > 0) return;
  const dishes = await readItems(ctx, { isAvailable: true }, {}, 100);
  const dish = dishes.find(
    ({ price_minor, show_online, modifier_groups }) => price_minor !== null && show_online && modifier_groups.length === 0,
  );
  if (!dish) return;
  const lines = [{ item_id: dish.id, quantity: 1 }];
  await placeOrder(ctx, { type: "pickup", channel: "phone", customer_name: "Giulia", customer_phone: "+39 300 0000 001", lines }).catch(
    (error: unknown) => {
      // A dish may not be served at this hour; the demo is none the worse for it.
      if (!(error instanceof ApiError)) throw error;
    },
  );
};

const renewTokens = async (ctx: Ctx, names: readonly string[]): Promise<Record<string, string>> => {
  for (const old of await listTokens(ctx)) if (old.name.startsWith(PREFIX) && old.state !== "revoked") await revokeToken(ctx, old.id);
  const tokens: Record<string, string> = {};
  for (const [name, { scopes, rate = UNLIMITED, isExpired, isRevoked }] of Object.entries(TOKENS).filter(([name]) =>
    names.includes(name),
  )) {
    const { id, token } = await createToken(ctx, {
      kind: "api",
      name: PREFIX + name,
      scopes,
      ratePerMinute: rate,
      expiresAt: isExpired ? ctx.now : null,
    });
    if (isRevoked) await revokeToken(ctx, id);
    tokens[name] = token;
  }
  return tokens;
};

/** Ready to paste: the two venues people would look at, and three first calls. */
export const describeDemo = ({ base_url, root_url, venues }: Demo): string => {
  const [first] = venues;
  const menuToken = first?.tokens.full ?? "";
  return [
    `  A token of ${first?.slug} with every scope:`,
    `  ${menuToken}`,
    "  A token of its sandbox, where nothing is real; the quick start begins with it:",
    `  export TOKEN='${first?.sandbox?.token ?? ""}'`,
    "",
    `  curl -s ${base_url}/menus -H 'Authorization: Bearer ${menuToken}'`,
    `  curl -s '${base_url}/items?per_page=3&available=true' -H 'Authorization: Bearer ${menuToken}'`,
    `  curl -s ${base_url}/orders -H 'Authorization: Bearer invalid'`,
    "",
    `  API reference: ${root_url}/docs`,
  ].join("\n");
};

export const addDemoCommand = (program: Command): void => {
  program
    .command("demo")
    .description("load the sample venues, end their tokens and print new ones; with --json those of all six")
    .option("--json", "print JSON")
    .action(({ json = false }: { json?: boolean }) =>
      withCommandContext(async ({ deps, rootUrl }) => {
        const demo = await createDemo(deps, rootUrl);
        const [first] = demo.venues;
        if (!json && first) await bookNextEvening((work) => forVenue(deps, first.slug, work));
        // Only the conformance kit needs passwords. People use `comanda-admin staff invite`.
        print(json, json ? { ...demo, oauth: await createMarket(deps) } : demo, () => describeDemo(demo));
      }),
    );
};
