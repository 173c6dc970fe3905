/** What a venue has before it moves, and must have afterwards. */
import { forVenue } from "../../../src/admin/command-context.ts";
import { type AppRow, findRegisteredApp } from "../../../src/platform/programs/apps/service.ts";
import { allowApp } from "../../../src/platform/programs/installations/service.ts";
import { newApp, newPkce, REDIRECT } from "../../support/marketplace.ts";
import { sendCall } from "../../support/raw-http.ts";
import type { TestVenue } from "../../support/test-app.ts";
import type { TestCell } from "../../support/two-cells.ts";

const plainPlate = async (port: number, { token }: TestVenue): Promise<number | undefined> => {
  const { body } = await sendCall({ port, token, method: "GET", path: "/items?per_page=100" });
  return (body as { data: { id: number; name: { en: string } }[] }).data.find(({ name }) => name.en === "Plain Plate")?.id;
};

/** Places one order under one key, from every cell. */
export const placeOnce = async (port: number, venue: TestVenue) => {
  const body = {
    type: "pickup",
    customer_name: "Ada",
    customer_phone: "+39 06 1234",
    lines: [{ item_id: await plainPlate(port, venue), quantity: 1 }],
  };
  const headers = { "idempotency-key": "once" };
  return sendCall({ port, token: venue.token, method: "POST", path: "/orders", headers, body });
};

/** An app that a venue has authorized: two codes, of which one was exchanged. */
export const authorizeApp = async ({ deps }: TestCell, port: number, { slug }: TestVenue) => {
  const app = await newApp(deps);
  const pkce = newPkce();
  const allow = () =>
    forVenue(deps, slug, async (ctx) =>
      allowApp(ctx, {
        app: (await findRegisteredApp(ctx, app.client_id)) as AppRow,
        requested: ["menu:read"],
        granted: ["menu:read"],
        redirectUri: REDIRECT,
        codeChallenge: pkce.challenge,
      }),
    );
  const post = async (path: string, values: Record<string, string>) => {
    const form = new URLSearchParams({ ...values, client_id: app.client_id, client_secret: app.client_secret });
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: form });
    return { status: answer.status, body: (await answer.json()) as { access_token: string; refresh_token: string } };
  };
  const exchange = (code: string) =>
    post("/oauth/token", { grant_type: "authorization_code", code, redirect_uri: REDIRECT, code_verifier: pkce.verifier });
  const [early, late] = [await allow(), await allow()];
  return { post, exchange, late, before: await exchange(early) };
};
