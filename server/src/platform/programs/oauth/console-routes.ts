/** The calls of the consent screen. Their answers say which address the browser opens next. */
import type { SessionCall, VenueCall } from "#http/console/operations.ts";
import type { GlobalContext } from "#lib/context.ts";
import type { SessionUser } from "#platform/sign-in/accounts/service.ts";
import { allowConsent, denyConsent, readConsent } from "./service.ts";

type ConsentIds = "readConsent" | "denyConsent";

export const consentCalls: { [I in ConsentIds]: SessionCall<I, SessionUser> } = {
  async readConsent(caller, { body }) {
    const { request } = body();
    const consent = await caller.inGlobalTransaction((ctx) => readConsent(ctx, request, caller.session.email));
    return { data: { ...consent, expires_at: consent.expires_at.toISOString() } };
  },
  async denyConsent(caller, { body, rootUrl }) {
    const { request } = body();
    const deny = async (ctx: GlobalContext) => ({ data: { redirect_to: await denyConsent(ctx, request, rootUrl) } });
    return caller.inGlobalTransaction((ctx) => caller.once(ctx, () => deny(ctx)));
  },
};

export const allowCalls: { allowConsent: VenueCall<"allowConsent"> } = {
  async allowConsent(ctx, { body, rootUrl }) {
    const { request, scopes } = body();
    return { data: { redirect_to: await allowConsent(ctx, { request, granted: scopes, issuer: rootUrl }) } };
  },
};
