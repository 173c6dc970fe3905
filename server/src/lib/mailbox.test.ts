/** Addresses that lead to one mailbox are counted as one. */
import { expect, test } from "vitest";
import { mailboxOf } from "./mailbox.ts";

test.each([
  ["Ada+news@Example.COM", "ada@example.com"],
  ["ada+a+b@example.com", "ada@example.com"],
  ["a.da@example.com", "a.da@example.com"],
  ["ada@ｅⓧample.com", "ada@example.com"],
  ["ada@ex\u00adam\u200bple.com", "ada@example.com"],
  ["ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["A.d.a+x@googlemail.com", "ada@gmail.com"],
  ["a.da@ｇmail.com", "ada@gmail.com"],
  ["ada@[192.0.2.1]", "ada@[192.0.2.1]"],
])("%s", (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
