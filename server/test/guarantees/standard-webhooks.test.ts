/** Deliveries are accepted by the libraries of Standard Webhooks, and the contract's three headers keep their bytes beside theirs. */
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deliver } from "#platform/events/webhooks/service/messages.ts";
import { newSigningSecret } from "#platform/events/webhooks/service/secrets.ts";
import { signatureOf, standardHeadersOf } from "#platform/events/webhooks/sign.ts";
import { createLocalSender, type Receiver, startReceiver } from "../support/webhook-receiver.ts";

const LIBRARIES = [
  ["standardwebhooks", Webhook],
  ["svix", SvixWebhook],
] as const;

const [SECRET, OLD_SECRET] = [newSigningSecret(), newSigningSecret()];
const EVENT = { id: "01a1bf52-3c00-78d3-828e-0c997c900718", type: "order.created" };
const BODY = JSON.stringify({ ...EVENT, data: { name: "Ørsted, 東京 and \u2028" } });

let receiver: Receiver;
let rawHeaders: string[];
let body: string;

beforeAll(async () => {
  receiver = await startReceiver();
  receiver.behave((request, response) => {
    rawHeaders = request.rawHeaders;
    response.writeHead(204).end();
  });
  const sender = createLocalSender(receiver.authority.cert);
  const sent = { url: receiver.url, secrets: [SECRET, OLD_SECRET], event: EVENT, body: BODY, at: new Date() };
  expect((await deliver(sender, sent)).status).toBe(204);
  body = receiver.received[0]?.body ?? "";
  expect(body).toBe(BODY);
  await sender.close();
});
afterAll(() => receiver.close());

const headers = (): Record<string, string> => receiver.received[0]?.headers as Record<string, string>;

describe.each(LIBRARIES)("%s", (_name, Library) => {
  test.each([
    ["the new secret", () => SECRET],
    ["the secret that is being replaced", () => OLD_SECRET],
  ])("accepts a delivery under %s", (_which, secret) => {
    expect(() => new Library(secret()).verify(body, headers())).not.toThrow();
  });

  test.each([
    ["another secret", newSigningSecret(), () => ({}), (text: string) => text],
    ["another body", SECRET, () => ({}), (text: string) => `${text} `],
    ["another id", SECRET, () => ({ "webhook-id": "01a1bf52-3c00-78d3-828e-0c997c900719" }), (text: string) => text],
    ["another time", SECRET, () => ({ "webhook-timestamp": String(Number(headers()["webhook-timestamp"]) + 1) }), (text: string) => text],
  ])("refuses %s", (_what, secret, changed, change) => {
    expect(() => new Library(secret).verify(change(body), { ...headers(), ...changed() })).toThrow();
  });

  test("refuses a delivery of ten minutes ago", () => {
    const old = standardHeadersOf(EVENT.id, BODY, [SECRET], new Date(Date.now() - 600_000));
    expect(() => new Library(SECRET).verify(BODY, old)).toThrow();
  });

  test("planted: the whole text of the secret as key, as in the contract's own header, is refused", () => {
    const { "webhook-timestamp": seconds = "", ...rest } = standardHeadersOf(EVENT.id, BODY, [SECRET], new Date());
    const signature = `v1,${createHmac("sha256", SECRET).update(`${EVENT.id}.${seconds}.${BODY}`).digest("base64")}`;
    expect(() => new Library(SECRET).verify(BODY, { ...rest, "webhook-timestamp": seconds, "webhook-signature": signature })).toThrow();
  });
});

test("R6.1-03 the contract's headers have their names, their order and their bytes", () => {
  const at = new Date(Number(headers()["webhook-timestamp"]) * 1000);
  const own = rawHeaders.flatMap((name, index) => (index % 2 === 0 && /^service-/i.test(name) ? [[name, rawHeaders[index + 1]]] : []));
  expect(own).toEqual([
    ["Service-Event", EVENT.type],
    ["Service-Delivery", EVENT.id],
    ["Service-Signature", signatureOf(BODY, [SECRET, OLD_SECRET], at)],
  ]);
  expect(headers()["service-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  expect(headers()["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
});
