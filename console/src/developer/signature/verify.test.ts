/** The checker names the part that fails; signatures here are made by the server's own code. */
import { EVENT_SAMPLES } from "@comanda/contract/event-samples.ts";
import { expect, test } from "vitest";
import { signatureOf } from "../../../../server/src/platform/webhooks/sign.ts";
import { checkSignature, isGenuine, readHeader, type Verdict } from "./verify.ts";

const SECRET = `whsec_${"aB3".repeat(13)}x`;
const OLD_SECRET = `whsec_${"zY9".repeat(13)}q`;
const body = JSON.stringify(EVENT_SAMPLES["order.created"]);
const at = new Date("2026-11-14T19:02:11Z");
const now = at.getTime() / 1000;
const header = signatureOf(body, [SECRET], at);

const check = (pasted: Partial<{ body: string; header: string; secret: string }> = {}, nowSeconds = now): Promise<Verdict> =>
  checkSignature({ body, header, secret: SECRET, ...pasted }, nowSeconds);

test("a right signature is green, up to five minutes either way", async () => {
  for (const seconds of [now, now + 300, now - 300]) expect(isGenuine(await check({}, seconds))).toBe(true);
  for (const seconds of [now + 301, now - 301]) {
    const verdict = await check({}, seconds);
    expect(verdict).toMatchObject({ kind: "fit", isTooOld: true, body: "kept", ageSeconds: seconds - now });
    expect(isGenuine(verdict)).toBe(false);
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
  const verdict = await check({ body: changed });
  expect(verdict).toMatchObject({ kind: "fit", body: cause, secret: "kept" });
  expect(isGenuine(verdict)).toBe(false);
});

test("line ends and a lost last newline are told apart", async () => {
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
  expect(await check({ secret })).toMatchObject({ kind: "fit", secret: cause, body: "kept" });
});

test("both at once: no prefix, and a rewritten body", async () => {
  const changed = JSON.stringify(JSON.parse(body), null, 4);
  expect(await check({ secret: SECRET.slice(6), body: changed })).toMatchObject({ secret: "no_prefix", body: "rewritten" });
});

test("of two secrets it says which one fitted", async () => {
  const both = signatureOf(body, [SECRET, OLD_SECRET], at);
  expect(await check({ header: both })).toMatchObject({ position: 0, signatures: 2 });
  expect(await check({ header: both, secret: OLD_SECRET })).toMatchObject({ position: 1, signatures: 2 });
});

test("where nothing fits, it says where to look", async () => {
  const suspect = async (pasted: Parameters<typeof check>[0]) => (await check(pasted)) as { kind: string; suspect?: string };
  expect(await suspect({ secret: OLD_SECRET })).toMatchObject({ kind: "no_fit", suspect: "secret" });
  expect(await suspect({ secret: "my-secret" })).toMatchObject({ suspect: "secret_form" });
  expect(await suspect({ secret: "" })).toMatchObject({ suspect: "secret_form" });
  expect(await suspect({ body: body.slice(0, 400) })).toMatchObject({ suspect: "body_cut" });
  expect(await suspect({ body: JSON.stringify({ ...JSON.parse(body), type: "x" }, null, 1) })).toMatchObject({ suspect: "body_or_secret" });
});
