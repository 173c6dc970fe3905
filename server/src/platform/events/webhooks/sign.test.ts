import { createHmac, timingSafeEqual } from "node:crypto";
import { expect, test } from "vitest";
import { signatureOf } from "./sign.ts";

const AT = new Date("2026-11-14T12:00:00.900Z");

test("R6.1-03 D175 the text <t>.<body> under the whole secret, in lower-case hex", () => {
  const header = signatureOf('{"id":1}', ["whsec_abc"], AT);
  // Made with: printf '1794657600.{"id":1}' | openssl dgst -sha256 -hmac whsec_abc
  expect(header).toBe("t=1794657600,v1=7e5f47ead4f0c49c383672df2d5576b0fc2db892d885a0afff36b875f13ba214");
  expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
});

test("D176 two secrets sign side by side, and a receiver with either one accepts the message", () => {
  const header = signatureOf("ø", ["whsec_new", "whsec_old"], AT);
  expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  for (const secret of ["whsec_new", "whsec_old"]) expect(verify(header, "ø", secret)).toBe(true);
  expect(verify(header, "ø", "whsec_other")).toBe(false);
  expect(verify(header, "o", "whsec_new")).toBe(false);
});

/** Written from the contract alone, as a receiver does it. */
const verify = (header: string, rawBody: string, secret: string): boolean => {
  const pairs = header.split(",").map((part) => part.split("="));
  const t = pairs.find(([name]) => name === "t")?.[1];
  const expected = createHmac("sha256", Buffer.from(secret, "utf8")).update(`${t}.`).update(rawBody, "utf8").digest();
  return pairs.some(([name, hex = ""]) => name === "v1" && hex.length === 64 && timingSafeEqual(Buffer.from(hex, "hex"), expected));
};
