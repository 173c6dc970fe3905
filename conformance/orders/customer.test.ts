/** POST /orders: customer and note. */
import { describe, expect, test } from "vitest";
import { call } from "../client.ts";
import { expectInvalid } from "../expectations.ts";
import { lab } from "../target.ts";
import { orderBody, placeOrder, postOrder, readOrder } from "./orders.ts";

/** Required texts of a body, and how long each may be. */
const REQUIRED = [
  { id: "R4.2-14", field: "customer_name", shown: "name", lengthMax: 120 },
  { id: "R4.2-15", field: "customer_phone", shown: "phone", lengthMax: 40 },
] as const;

for (const { id, field, shown, lengthMax } of REQUIRED)
  describe(field, () => {
    test(`${id} RX-31 422 where it is missing`, async () => {
      const { [field]: _, ...body } = await orderBody(lab);
      expectInvalid(await call(lab.tokens.full, "POST", "/orders", { body }), field);
    });

    test(`${id} RX-25 RX-26 RX-27 422 where it is blank, null or no text`, async () => {
      for (const value of ["", " ", "\t\n ", null, 5, true, ["Ada"], { en: "Ada" }, "A\u0000da"])
        expectInvalid(await postOrder(lab, { [field]: value }), field);
    });

    test(`${id} RX-27 ${lengthMax} characters are taken, ${lengthMax + 1} are not, however many bytes each has`, async () => {
      for (const letter of ["x", "é", "🍜"]) {
        const longest = letter.repeat(lengthMax);
        expect((await placeOrder(lab, { [field]: longest })).customer[shown]).toBe(longest);
        expectInvalid(await postOrder(lab, { [field]: `${longest}${letter}` }), field);
      }
    });

    test(`${id} RX-27 white space around it is not part of it and does not count`, async () => {
      const longest = "x".repeat(lengthMax);
      const { id: orderId } = await placeOrder(lab, { [field]: `  ${longest}\n` });
      expect((await readOrder(lab, orderId)).customer[shown]).toBe(longest);
    });

    test(`${id} one character is enough, and every script is kept`, async () => {
      for (const text of ["A", "١٢٣", "Ňáme-Ωmega 'q' \"d\" <b>", "\u200Fاسم"])
        expect((await placeOrder(lab, { [field]: text })).customer[shown]).toBe(text);
    });
  });

/** The address is as long as one may be, with every part of it within its own limit. */
const LONGEST_EMAIL = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`;

describe("customer_email", () => {
  for (const email of ["a@b.co", "ada.lovelace+orders@mail.example.co.uk", "o'brien@example.ie", "A_B-c@EXAMPLE.com", LONGEST_EMAIL])
    test(`R4.2-16 ${email.slice(0, 40)} is kept`, async () => {
      expect((await placeOrder(lab, { customer_email: email })).customer.email).toBe(email);
    });

  for (const email of [
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "ada lovelace@example.com",
    "ada@exam ple.com",
    "ada@lovelace@example.com",
    "ada@example..com",
    "ada@.example.com",
    "ada@example.com.",
    "ada@example.com, b@example.com",
    LONGEST_EMAIL.replace("@", "@e"),
  ])
    test(`R4.2-16 422 for ${email.slice(0, 40)}`, async () => {
      expectInvalid(await postOrder(lab, { customer_email: email }), "customer_email");
    });

  test("R4.2-16 RX-25 422 for what is no text", async () => {
    for (const email of [5, true, ["ada@example.com"], {}])
      expectInvalid(await postOrder(lab, { customer_email: email }), "customer_email");
  });

  test("R4.2-16 RX-26 null or absent is null", async () => {
    expect((await placeOrder(lab, { customer_email: null })).customer.email).toBeNull();
    expect((await placeOrder(lab)).customer.email).toBeNull();
  });

  test("R4.2-16 white space around it is not part of it", async () => {
    expect((await placeOrder(lab, { customer_email: " ada@example.com\n" })).customer.email).toBe("ada@example.com");
  });
});

describe("note", () => {
  test("R4.2-17 RX-27 500 characters are kept, 501 are 422, however many bytes each has", async () => {
    for (const letter of ["x", "é", "🍜"]) {
      const { id, note } = await placeOrder(lab, { note: letter.repeat(500) });
      expect(note).toBe(letter.repeat(500));
      expect((await readOrder(lab, id)).note).toBe(note);
      expectInvalid(await postOrder(lab, { note: letter.repeat(501) }), "note");
    }
  });

  test("R4.2-17 RX-26 null, blank or absent is null", async () => {
    for (const note of [null, "", "   ", "\n"]) expect((await placeOrder(lab, { note })).note).toBeNull();
    expect((await placeOrder(lab)).note).toBeNull();
  });

  test("R4.2-17 RX-27 is trimmed, and keeps its line breaks", async () => {
    expect((await placeOrder(lab, { note: "  Ring twice.\nThird floor.  " })).note).toBe("Ring twice.\nThird floor.");
    expect((await placeOrder(lab, { note: ` ${"x".repeat(500)} ` })).note).toHaveLength(500);
  });

  test("R4.2-17 RX-25 422 for what is no text", async () => {
    for (const note of [5, false, ["No onions"], { en: "No onions" }, "No\u0000onions"])
      expectInvalid(await postOrder(lab, { note }), "note");
  });
});
