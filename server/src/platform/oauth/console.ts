/** The consent screen: what is asked, yes or no. Where the browser goes then is part of the answer. */
import type { PersonCall, VenueCall } from "#http/console-calls.ts";
import { allowConsent, denyConsent, readConsent } from "./service.ts";

/** All that these calls ask of a visit. */
type Somebody = { email: string };

type ConsentIds = "readConsent" | "denyConsent";

export const consentCalls: { [I in ConsentIds]: PersonCall<I, Somebody> } = {
  async readConsent(caller, { body }) {
    const { request } = body();
    const consent = await caller.inHouse((ctx) => readConsent(ctx, request, caller.visit.email));
    return { data: { ...consent, expires_at: consent.expires_at.toISOString() } };
  },
  async denyConsent(caller, { body, rootUrl }) {
    const { request } = body();
    return { data: { redirect_to: await caller.inHouse((ctx) => denyConsent(ctx, request, rootUrl)) } };
  },
};

export const allowCalls: { allowConsent: VenueCall<"allowConsent"> } = {
  async allowConsent(ctx, { body, rootUrl }) {
    const { request, scopes } = body();
    return { data: { redirect_to: await allowConsent(ctx, { request, ticked: scopes, issuer: rootUrl }) } };
  },
};
