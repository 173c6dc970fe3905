import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { CursorScope } from "./cursor.ts";
import { decryptPosition, encryptPosition } from "./encrypted-position.ts";

const scope: CursorScope = { key: randomBytes(32), list: "requests", tenantId: 1024 };
const POSITIONS = [0, 1, 1024, 2 ** 40, Number.MAX_SAFE_INTEGER];

test("a position is read by its own list and venue, and by the key that made it", () => {
  for (const position of POSITIONS) {
    const text = encryptPosition(scope, position);
    expect([text, decryptPosition(scope, text)]).toEqual([encryptPosition(scope, position), position]);
    for (const foreign of [{ list: "orders" }, { tenantId: 2048 }, { key: randomBytes(32) }])
      expect(decryptPosition({ ...scope, ...foreign }, text)).toBeNull();
  }
});

test("each changed bit is noticed, and what was never encrypted is none", () => {
  const bytes = Buffer.from(encryptPosition(scope, 7), "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(decryptPosition(scope, changed.toString("base64url"))).toBeNull();
  }
  for (const text of ["", "0", "7", "latest", "é", randomBytes(24).toString("base64url"), `${bytes.toString("base64url")}=`])
    expect(decryptPosition(scope, text)).toBeNull();
});

test("neighbours have nothing in common, and no text is longer than another", () => {
  const texts = Array.from({ length: 200 }, (_, position) => encryptPosition(scope, position));
  expect(new Set(texts.map(({ length }) => length))).toEqual(new Set([32]));
  const starts = new Set(texts.map((text) => text.slice(0, 6)));
  const ends = new Set(texts.map((text) => text.slice(-6)));
  expect([starts.size, ends.size]).toEqual([200, 200]);
});
