import { expect, test } from "vitest";
import { sourceOf } from "./network-source.ts";

const IPV4: [string, string][] = [
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7%eth0", "203.0.113.7"],
];

test.each(IPV4)("%s is the one IPv4 address that it is", (address, host) => {
  expect(sourceOf(address)).toEqual({ network: host, host });
});

const IPV6: [string, string, string][] = [
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
  ["2001:db8:1:2:3:4:192.0.2.1", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ["fe80::1%25", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48"],
  ["::", "0:0:0:0::/64", "0:0:0::/48"],
  // IPv4-compatible, not IPv4-mapped: no socket shows an IPv4 client in this form.
  ["::203.0.113.7", "0:0:0:0::/64", "0:0:0::/48"],
];

test.each(IPV6)("%s is known by its /64 and its /48", (address, host, network) => {
  expect(sourceOf(address)).toEqual({ network, host });
});

test("what is no address has a name too, and a short one", () => {
  for (const none of [undefined, ""]) expect(sourceOf(none)).toEqual({ network: "unknown", host: "unknown" });
  expect(sourceOf("proxy, 203.0.113.7:80").host).toBe("proxy, 203.0.113.7:80");
  expect(sourceOf("x".repeat(5000)).host).toHaveLength(64);
});
