/** A POST repeated with its key has one effect. */
import { keepsAnswers } from "@comanda/contract/operation.ts";
import { operationEntries } from "@comanda/contract/operations.ts";
import { describe, expect, test } from "vitest";
import type { CheckedAnswer } from "../answer-check.ts";
import { type ConformanceCall, call } from "../client.ts";
import { exampleOf, pathOf } from "../examples.ts";
import { expectInvalid, expectRefused, expectStatus, uniqueName } from "../expectations.ts";
import { addDish, dishBody, dishesNamed, itemOf, readDish } from "../menu/dishes.ts";
import { labFloor } from "../menu/floor.ts";
import { callRaw } from "../raw-client.ts";
import { lab } from "../target.ts";

const newKey = (): string => crypto.randomUUID();
const replayed = ({ headers }: CheckedAnswer): string | null => headers.get("idempotent-replayed");

const post = (key: string, options: ConformanceCall, token = lab.tokens.full): Promise<CheckedAnswer> =>
  call(token, "POST", "/items", { ...options, headers: { "idempotency-key": key } });

/** A new dish in the small category, where it can be counted. */
const newDish = async (): Promise<{ name: string; category_id: number; body: object }> => {
  const { other } = await labFloor();
  const name = uniqueName("Once");
  return { name, category_id: other.id, body: dishBody(other.id, { name }) };
};

for (const [id, operation] of operationEntries)
  if (keepsAnswers(operation))
    test(`R8-05 R8-06 ${id}: the same key and body give the first answer back, marked`, async () => {
      const { params, body } = await exampleOf(id, lab);
      const headers = { "idempotency-key": newKey() };
      const send = () => call(lab.tokens.full, "POST", pathOf(operation, params), { body, headers });
      const [first, second] = [await send(), await send()];
      expectStatus(first, operation.success.status);
      expectStatus(second, operation.success.status);
      expect(replayed(first)).toBeNull();
      expect(replayed(second)).toBe("true");
      expect(second.text).toBe(first.text);
      for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining"]) expect(second.headers.get(name)).not.toBeNull();
    });

describe("new dish", () => {
  test("R8-05 three POSTs with one key make one dish", async () => {
    const { name, category_id, body } = await newDish();
    const key = newKey();
    for (let turn = 0; turn < 3; turn++) expectStatus(await post(key, { body }), 201);
    expect(await dishesNamed(lab, category_id, name)).toHaveLength(1);
  });

  test("R8-05 the first answer comes back even when the dish has changed since", async () => {
    const { body } = await newDish();
    const key = newKey();
    const first = await post(key, { body });
    await call(lab.tokens.full, "PATCH", `/items/${itemOf(first).id}`, { body: { price_minor: 1 } });
    const second = await post(key, { body });
    expect(replayed(second)).toBe("true");
    expect(second.text).toBe(first.text);
  });

  test("R8-07 422 idempotency_key_reused for another body, and nothing is made", async () => {
    const key = newKey();
    expectStatus(await post(key, await newDish()), 201);
    const { name, category_id, body } = await newDish();
    expectRefused(await post(key, { body }), "idempotency_key_reused");
    expectRefused(await post(key, {}), "idempotency_key_reused");
    expect(await dishesNamed(lab, category_id, name)).toEqual([]);
  });

  test("R8-08 the order of the members and white space do not make another body", async () => {
    const { body } = await newDish();
    const key = newKey();
    const first = await post(key, { body });
    const turned = Object.fromEntries(Object.entries(body).reverse());
    const second = await post(key, { rawBody: `\n ${JSON.stringify(turned, null, 3)}\t` });
    expect(replayed(second)).toBe("true");
    expect(second.text).toBe(first.text);
  });

  test("R8-09 of simultaneous POSTs with one key one acts; the others wait their turn or replay it", async () => {
    const { name, category_id, body } = await newDish();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(key, { body })));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectRefused(answer, "idempotency_key_in_use");
    expect(await dishesNamed(lab, category_id, name)).toHaveLength(1);
  });

  test("R8-10 a 422 is an answer too: it is replayed for the same body", async () => {
    const { body } = await newDish();
    const key = newKey();
    const wrong = { ...body, price_minor: -1 };
    const [first, second] = [await post(key, { body: wrong }), await post(key, { body: wrong })];
    expectInvalid(first, "price_minor");
    expectInvalid(second, "price_minor");
    expect(replayed(first)).toBeNull();
    expect(replayed(second)).toBe("true");
    expect(second.text).toBe(first.text);
    expectRefused(await post(key, { body }), "idempotency_key_reused");
  });

  test("R8-10 a body that could not be read is not kept: the retry runs", async () => {
    const { body } = await newDish();
    const key = newKey();
    expectInvalid(await post(key, { rawBody: '{"name":' }), "body");
    const retry = await post(key, { body });
    expectStatus(retry, 201);
    expect(replayed(retry)).toBeNull();
  });

  test("R8-10 a 401 or a 403 is not kept: the retry of the rightful caller runs", async () => {
    const { body } = await newDish();
    const key = newKey();
    expectRefused(await post(key, { body }, lab.tokens.revoked), "unauthenticated");
    for (let turn = 0; turn < 2; turn++) {
      const refused = await post(key, { body }, lab.tokens["menu:read"]);
      expectRefused(refused, "insufficient_scope");
      expect(replayed(refused)).toBeNull();
    }
    expect(replayed(await post(key, { body }))).toBeNull();
  });

  test("R8-11 a key of 255 characters is taken, one of 256 is 422", async () => {
    const { body } = await newDish();
    const key = newKey().padEnd(255, "k");
    expectStatus(await post(key, { body }), 201);
    expect(replayed(await post(key, { body }))).toBe("true");
    expectInvalid(await post(`${key}k`, { body }), "Idempotency-Key");
  });

  test("R8-11 422 for a key sent twice", async () => {
    const { body } = await newDish();
    const headers = { "content-type": "application/json", "idempotency-key": [newKey(), newKey()] };
    const answer = await callRaw(lab.tokens.full, "POST", "/items", { headers, body: JSON.stringify(body) });
    expectInvalid(answer, "Idempotency-Key");
  });

  test("R8-11 any characters make a key, and case tells keys apart", async () => {
    const { body } = await newDish();
    const key = `"${newKey()}", ;=\\ {}[]<>~`;
    const first = await post(key, { body });
    expect(replayed(await post(key, { body }))).toBe("true");
    const other = await post(key.toUpperCase(), { body });
    expect(replayed(other)).toBeNull();
    expect(itemOf(other).id).not.toBe(itemOf(first).id);
  });

  test("R8-12 the same key of another token is another key", async () => {
    const { name, category_id, body } = await newDish();
    const key = newKey();
    const first = await post(key, { body });
    const second = await post(key, { body }, lab.tokens.full_2);
    expectStatus(second, 201);
    expect(replayed(second)).toBeNull();
    expect(itemOf(second).id).not.toBe(itemOf(first).id);
    expect(await dishesNamed(lab, category_id, name)).toHaveLength(2);
  });

  test("R8-13 without a key, or with a blank one, two POSTs make two dishes", async () => {
    const { name, category_id, body } = await newDish();
    for (let turn = 0; turn < 2; turn++) expectStatus(await call(lab.tokens.full, "POST", "/items", { body }), 201);
    for (let turn = 0; turn < 2; turn++) expectStatus(await post("  ", { body }), 201);
    expect(await dishesNamed(lab, category_id, name)).toHaveLength(4);
  });

  test("R8-13 a key does nothing on GET, PATCH and PUT", async () => {
    const { other } = await labFloor();
    const { id } = await addDish(lab, other.id);
    const headers = { "idempotency-key": newKey() };
    const change = (body: object) => call(lab.tokens.full, "PATCH", `/items/${id}`, { body, headers });
    for (const price_minor of [1100, 1200, 1100]) {
      const answer = await change({ price_minor });
      expectStatus(answer, 200);
      expect(replayed(answer)).toBeNull();
      expect((await readDish(lab, id)).price_minor).toBe(price_minor);
    }
    for (const is_available of [false, true, false]) {
      const answer = await call(lab.tokens.full, "PUT", `/items/${id}/availability`, { body: { is_available }, headers });
      expect(itemOf(answer).is_available).toBe(is_available);
      expect(replayed(answer)).toBeNull();
    }
    const read = await call(lab.tokens.full, "GET", `/items/${id}`, { headers: { "idempotency-key": "k".repeat(300) } });
    expectStatus(read, 200);
    expect(replayed(read)).toBeNull();
  });
});
