/** The calls of the consent screen. Their answers say which address the browser opens next. */
import type { SessionCalls, VenueCalls } from "#http/console/calls.ts";
import type { GlobalContext } from "#lib/context.ts";
import { allowConsent, denyConsent, readConsent } from "./service.ts";

type ConsentIds = "readConsent" | "denyConsent";

export const consentCalls: Pick<SessionCalls, ConsentIds> = {
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

export const allowCalls: Pick<VenueCalls, "allowConsent"> = {
  async allowConsent(ctx, { body, rootUrl }) {
    const { request, scopes } = body();
    return { data: { redirect_to: await allowConsent(ctx, { request, granted: scopes, issuer: rootUrl }) } };
  },
};
