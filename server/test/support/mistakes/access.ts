/** Mistakes about tokens, paths and ids. */
import { newTokenSecret } from "#lib/token-format.ts";
import { revokeToken } from "#platform/programs/tokens/service.ts";
import { forVenue } from "../test-app.ts";
import { answerText, type Mistake, type MistakeAnswer, type MistakeWorld, sendMistake } from "./mistake.ts";

const FORM = /Authorization: Bearer <id>\|svc_…/;

export const tokenMistakes = async (world: MistakeWorld): Promise<Mistake[]> => {
  const { app, lab, client, sandboxToken } = world;
  const [id, secret = ""] = lab.token.split("|");
  const revoked = await app.token(lab.slug);
  await forVenue(app.deps, lab.slug, (ctx) => revokeToken(ctx, Number(revoked.split("|")[0])));
  const expired = await app.token(lab.slug, { expiresAt: new Date(app.clock.now().getTime() - 1000) });
  const refused = (
    sent: string,
    authorization: string | null,
    cure: RegExp,
    more: { path?: string; headers?: Record<string, string> } = {},
  ) => ({
    sent,
    status: 401,
    code: "unauthenticated",
    cure,
    send: () =>
      sendMistake(world, "GET", more.path ?? "/menus", {
        token: null,
        headers: { ...(authorization === null ? {} : { authorization }), ...more.headers },
      }),
  });
  const seen = (what: string): RegExp => new RegExp(`${what}.*${FORM.source}`);
  const { data: orders } = (await app.call(lab.token, "GET", "/menus")).body;
  return [
    refused("no token", null, seen("is missing")),
    refused("an empty header", "", seen("is empty")),
    refused("Bearer alone", "Bearer ", seen("no token after Bearer")),
    refused("a token without Bearer", lab.token, seen("The word Bearer.*missing")),
    refused("Basic", `Basic ${btoa(lab.token)}`, /Bearer, not Basic.*POST \/oauth\/token/),
    refused("another scheme", `Token ${lab.token}`, seen("does not begin with Bearer")),
    refused("a token in the query", null, seen("in the address is not read"), { path: `/menus?access_token=${lab.token}` }),
    refused("a token in another header", null, seen("x-api-key is not read"), { headers: { "x-api-key": lab.token } }),
    refused("a token without its id", `Bearer ${secret}`, seen("has no id")),
    refused("a token in quotes", `Bearer "${lab.token}"`, seen("quotes")),
    refused("a line break that was read with the token", `Bearer ${lab.token}\\n`, seen("line break")),
    refused("an encoded |", `Bearer ${id}%7C${secret}`, seen("percent-encoded")),
    refused("half a token", `Bearer ${lab.token.slice(0, -9)}`, seen("not whole")),
    refused("an unknown token", `Bearer ${id}|${newTokenSecret("api")}`, /No token like this is known here/),
    refused("a revoked token", `Bearer ${revoked}`, /was revoked\. Create another/),
    refused("an expired token", `Bearer ${expired}`, /has expired\. Create another.*www-authenticate: Bearer error="invalid_token"/),
    refused("the secret of an app", `Bearer ${client.client_secret}`, /client secret.*POST \/oauth\/token/),
    {
      sent: "the token of a sandbox at an id of the live restaurant",
      status: 404,
      code: "not_found",
      cure: /This sandbox has no menu with this id\. GET \/menus.*ids of the live restaurant are unknown here/,
      send: () => sendMistake(world, "GET", `/menus/${orders[0].id}`, { token: sandboxToken }),
    },
  ];
};

const unknownPath = (world: MistakeWorld, sent: string, cure: RegExp): Mistake => ({
  sent,
  status: 404,
  code: "not_found",
  cure,
  send: () => sendMistake(world, "GET", sent),
});

export const pathMistakes = (world: MistakeWorld): Mistake[] => {
  const wrongMethod = (method: string, path: string, cure: RegExp, headers: Record<string, string> = {}): Mistake => ({
    sent: `${method} ${path}`,
    status: 405,
    code: "method_not_allowed",
    cure,
    send: () => sendMistake(world, method, path, { headers }),
  });
  const outside = async (url: string): Promise<MistakeAnswer> => {
    const { statusCode, payload } = await world.app.app.http.inject({ url });
    const { error } = JSON.parse(payload);
    return { status: statusCode, code: error.code, text: answerText(error, new Headers()) };
  };
  const preflight = { "access-control-request-method": "POST", origin: "https://shop.example" };
  return [
    unknownPath(world, "/order", /nearest one is GET, HEAD, POST \/orders/),
    unknownPath(world, "/ordres/01a1db39-58b8-75e1-8860-a981f2727a6a", /nearest one is GET, HEAD \/orders\/\{order\}/),
    unknownPath(world, "//menus", /nearest one is GET, HEAD \/menus,/),
    unknownPath(world, "/v1/menus", /nearest one is GET, HEAD \/menus,/),
    unknownPath(world, "/nothing/like/this", /GET \/openapi\.json/),
    {
      sent: "GET /v1/menus at the root",
      status: 404,
      code: "not_found",
      cure: /below \/api\/v1: .* \/menus/,
      send: () => outside("/v1/menus"),
    },
    { sent: "a trailing slash", status: 200, code: "", cure: /^undefined /, send: () => sendMistake(world, "GET", "/menus/") },
    { sent: "HEAD", status: 200, code: "", cure: /^undefined /, send: () => sendMistake(world, "HEAD", "/menus") },
    wrongMethod("DELETE", "/items", /takes GET, HEAD, POST, not DELETE.*allow: GET, HEAD, POST/),
    wrongMethod("POST", "/menus", /takes GET, HEAD, not POST/),
    wrongMethod("OPTIONS", "/orders", /takes GET, HEAD, POST, not OPTIONS.*call it from a server of your own/),
    {
      sent: "a preflight request of a browser",
      status: 401,
      code: "unauthenticated",
      cure: /not for browsers.*server of your own/,
      send: () => sendMistake(world, "OPTIONS", "/orders", { token: null, headers: preflight }),
    },
  ];
};

export const idMistakes = async (world: MistakeWorld): Promise<Mistake[]> => {
  const { app, foreign } = world;
  const [theirs] = (await app.call(foreign.token, "GET", "/items?per_page=1")).body.data;
  return [
    unknownPath(world, "/orders/101", /Ids of orders are UUIDs.*GET \/orders/),
    unknownPath(world, "/items/abc", /Ids of dishes are whole numbers.*GET \/items/),
    unknownPath(world, `/items/${"1".repeat(300)}`, /Ids of dishes are whole numbers/),
    unknownPath(world, "/items/999999999", /has no dish with this id\. GET \/items lists/),
    unknownPath(world, `/items/${theirs.id}`, /has no dish with this id\. GET \/items lists/),
    unknownPath(world, "/orders/01a1db39-58b8-75e1-8860-a981f2727a6a", /has no order with this id\. GET \/orders lists/),
  ];
};
