/** Which addresses the service sends to: https and public addresses, nothing of its own network (open point D179). */
import type { UrlError } from "@comanda/contract/console/reason-codes.ts";
import ipaddr from "ipaddr.js";

/** IANA's special-purpose ranges of IPv4, and multicast. Every other address is public. */
const IPV4_SPECIAL = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by carriers
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, and the metadata services of clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
].map((range) => ipaddr.IPv4.parseCIDR(range));

/** The global unicast range of IPv6. Loopback, mapped, NAT64, local and multicast addresses are outside of it. */
const IPV6_GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");
const IPV6_SPECIAL = [
  "2001::/23", // Teredo, ORCHID, benchmarking and other protocols
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, which carries any IPv4 address
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
].map((range) => ipaddr.IPv6.parseCIDR(range));

/** False also for text that is no address. */
export const isPublicAddress = (text: string): boolean => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    const address = ipaddr.IPv4.parse(text);
    return !IPV4_SPECIAL.some((range) => address.match(range));
  }
  // A zone (`%eth0`) names an interface of this machine.
  if (text.includes("%") || !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  return address.match(IPV6_GLOBAL) && !IPV6_SPECIAL.some((range) => address.match(range));
};

/** Checked before each send; null when the URL is good. */
export const targetFault = (text: string): UrlError | null => {
  if (!URL.canParse(text)) return "not_url";
  const url = new URL(text);
  if (url.protocol !== "https:") return "not_https";
  return url.username !== "" || url.password !== "" ? "user_info" : null;
};

/** The IP address when the host is one; null when it is a name. */
export const literalOf = (url: string): string | null => {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(host) ? host : null;
};

/** These names always resolve to this machine (RFC 6761 §6.3). */
const LOCALHOST = /^(.+\.)?localhost\.?$/;

/** Checked when a URL is registered. It refuses private IP addresses too; a name is resolved and checked with each send. */
export const receiverFault = (text: string): UrlError | "blocked_address" | null => {
  const fault = targetFault(text);
  if (fault !== null) return fault;
  const literal = literalOf(text);
  const isInner = literal === null ? LOCALHOST.test(new URL(text).hostname) : !isPublicAddress(literal);
  return isInner ? "blocked_address" : null;
};
