import { expect, test } from "vitest";
import { addressList } from "./address-list.ts";

test.each([
  ["10.0.0.2", ["10.0.0.2", "::ffff:10.0.0.2"], ["10.0.0.3", "::2"]],
  ["172.16.0.0/12", ["172.16.0.1", "172.31.255.255"], ["172.32.0.1"]],
  ["10.1.0.0/255.255.0.0", ["10.1.2.3"], ["10.2.0.1"]],
  ["2001:db8::/32", ["2001:db8:1::5"], ["2001:db9::1", "10.0.0.2"]],
  ["loopback", ["127.0.0.1", "127.9.9.9", "::1"], ["128.0.0.1"]],
  ["uniquelocal", ["192.168.1.1", "fd00::1"], ["8.8.8.8"]],
  ["fe80::1", ["fe80::1%eth0"], ["fe80::2", undefined, "no address"]],
])("%s", (entry, inside, outside) => {
  const isListed = addressList([entry]);
  expect([inside.filter(isListed), outside.filter(isListed)]).toEqual([inside, []]);
});

test("nothing is on an empty list, and what is no address is left out", () => {
  expect([addressList([])("127.0.0.1"), addressList(["proxy", "10.0.0.1"])("10.0.0.1")]).toEqual([false, true]);
});
