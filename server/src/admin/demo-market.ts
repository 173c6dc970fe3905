/** Creates what the conformance kit needs: two apps, and people who can allow them or not. */
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { Deps } from "#deps.ts";
import { unwrap } from "#lib/errors.ts";
import { hashPassword } from "#lib/passwords.ts";
import { randomBase62 } from "#lib/token-format.ts";
import { acceptByProof } from "#platform/people/memberships/service.ts";
import { listEveryApp, registerApp, rollSecret } from "#platform/programs/apps/service.ts";
import { createLinkForOperator, redeemPasswordLink } from "#platform/sign-in/one-time-links/service.ts";
import { checkedKeys, forVenue, withoutVenue } from "./command-context.ts";

const APPS_MAX = 1000;
const REDIRECT = "https://app.example/back";
const PASSWORD_LENGTH = 24;

/** Their addresses are in the sample files. */
const PEOPLE = {
  owner: { slug: "lab", email: "owner@example.com" },
  manager: { slug: "lab", email: "manager@example.com" },
  stranger: { slug: "trattoria-da-nino", email: "nino@example.com" },
};

const namedApp = async (deps: Deps, name: string) => {
  const form = {
    name,
    developer: "Conformance",
    summary: "Tries the service out.",
    site: "https://app.example",
    install_url: null,
    logo: null,
    redirect_uris: [REDIRECT],
    scopes: ALL_SCOPES,
  };
  const { client_id, client_secret } = await withoutVenue(deps, async (ctx) => {
    const known = (await listEveryApp(ctx, APPS_MAX)).find((app) => app.name === name && app.user_id === null && app.withdrawn_at === null);
    return known ? rollSecret(ctx, { id: known.id, userId: null, overlapMs: 0 }) : registerApp(ctx, null, form);
  });
  return { client_id, client_secret, redirect_uri: REDIRECT };
};

/** A new password each time, by a link as everybody gets one. */
const withPassword = async (deps: Deps, { slug, email }: { slug: string; email: string }) => {
  const password = randomBase62(PASSWORD_LENGTH);
  const passwordHash = await hashPassword(password, { account: email });
  const { secret } = await forVenue(deps, slug, (ctx) => createLinkForOperator(ctx, email));
  const keys = await checkedKeys(deps);
  unwrap(await withoutVenue(deps, (ctx) => redeemPasswordLink(ctx, { secret, code: null, client: null }, passwordHash, keys)));
  await forVenue(deps, slug, (ctx) => acceptByProof(ctx, email));
  return { email, password };
};

export const createMarket = async (deps: Deps) => ({
  venue: PEOPLE.owner.slug,
  client: await namedApp(deps, "Conformance app"),
  other_client: await namedApp(deps, "Other conformance app"),
  people: {
    owner: await withPassword(deps, PEOPLE.owner),
    manager: await withPassword(deps, PEOPLE.manager),
    stranger: await withPassword(deps, PEOPLE.stranger),
  },
  browser: ["node", "scripts/consent.ts"],
});
