/** The checker names the failing part. Signatures are made by the server's code. */
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { expect, test } from "vitest";
import { signatureOf } from "../../../../server/src/platform/events/webhooks/sign.ts";
import { checkSignature, isGenuine, readHeader, type SignatureResult } from "./verify-signature.ts";

const SECRET = `whsec_${"aB3".repeat(13)}x`;
const OLD_SECRET = `whsec_${"zY9".repeat(13)}q`;
const body = JSON.stringify(EVENT_SAMPLES["order.created"]);
const at = new Date("2026-11-14T19:02:11Z");
const now = at.getTime() / 1000;
const header = signatureOf(body, [SECRET], at);

const check = (pasted: Partial<{ body: string; header: string; secret: string }> = {}, nowSeconds = now): Promise<SignatureResult> =>
  checkSignature({ body, header, secret: SECRET, ...pasted }, nowSeconds);

test("a valid signature is genuine within five minutes either way", async () => {
  for (const seconds of [now, now + 300, now - 300]) expect(isGenuine(await check({}, seconds))).toBe(true);
  for (const seconds of [now + 301, now - 301]) {
    const result = await check({}, seconds);
    expect(result).toMatchObject({ kind: "match", isTooOld: true, body: "kept", ageSeconds: seconds - now });
    expect(isGenuine(result)).toBe(false);
  }
});

test("the whole header line may be pasted", async () => {
  expect(isGenuine(await check({ header: `Service-Signature: ${header}\n` }))).toBe(true);
  expect(isGenuine(await check({ header: header.toUpperCase().replace("T=", "t=").replace("V1=", "v1=") }))).toBe(true);
});

test.each([
  ["", "empty"],
  ["v1=00", "no_t"],
  ["t=1763146931000,v1=00", "t_not_seconds"],
  ["t=soon,v1=00", "t_not_seconds"],
  ["t=1763146931", "no_v1"],
  ["t=1763146931,v1=zz", "v1_not_hex"],
] as const)("the form of %j: %s", (text, fault) => {
  expect(readHeader(text)).toBe(fault);
});

test.each([
  ["rewritten", JSON.stringify(JSON.parse(body), null, 2)],
  ["rewritten", JSON.stringify(JSON.parse(body)).replaceAll('":', '": ').replaceAll(',"', ', "')],
  ["newline_added", `${body}\n`],
  ["newline_added", `${body}\r\n`],
] as const)("the body was %s", async (cause, changed) => {
  const result = await check({ body: changed });
  expect(result).toMatchObject({ kind: "match", body: cause, secret: "kept" });
  expect(isGenuine(result)).toBe(false);
});

test("changed line ends and a lost last newline are distinguished", async () => {
  const lines = "one\ntwo\n";
  const signed = signatureOf(lines, [SECRET], at);
  expect(await check({ header: signed, body: "one\r\ntwo\r\n" })).toMatchObject({ body: "line_ends" });
  expect(await check({ header: signed, body: "one\ntwo" })).toMatchObject({ body: "newline_lost" });
});

test.each([
  ["no_prefix", SECRET.slice(6)],
  ["spaces", ` ${SECRET}\n`],
  ["spaces", `"${SECRET}"`],
] as const)("the secret: %s", async (cause, secret) => {
  expect(await check({ secret })).toMatchObject({ kind: "match", secret: cause, body: "kept" });
});

test("a missing prefix and a rewritten body are found together", async () => {
  const changed = JSON.stringify(JSON.parse(body), null, 4);
  expect(await check({ secret: SECRET.slice(6), body: changed })).toMatchObject({ secret: "no_prefix", body: "rewritten" });
});

test("with two secrets the matching one is named", async () => {
  const both = signatureOf(body, [SECRET, OLD_SECRET], at);
  expect(await check({ header: both })).toMatchObject({ position: 0, signatures: 2 });
  expect(await check({ header: both, secret: OLD_SECRET })).toMatchObject({ position: 1, signatures: 2 });
});

test("without a match the likely cause is named", async () => {
  const likelyCause = async (pasted: Parameters<typeof check>[0]) => (await check(pasted)) as { kind: string; likelyCause?: string };
  expect(await likelyCause({ secret: OLD_SECRET })).toMatchObject({ kind: "no_match", likelyCause: "secret" });
  expect(await likelyCause({ secret: "my-secret" })).toMatchObject({ likelyCause: "secret_form" });
  expect(await likelyCause({ secret: "" })).toMatchObject({ likelyCause: "secret_form" });
  expect(await likelyCause({ body: body.slice(0, 400) })).toMatchObject({ likelyCause: "body_cut" });
  expect(await likelyCause({ body: JSON.stringify({ ...JSON.parse(body), type: "x" }, null, 1) })).toMatchObject({
    likelyCause: "body_or_secret",
  });
});
