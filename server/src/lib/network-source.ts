/** The host and network of a client address. One IPv6 client has 2^64 addresses and often a whole /48. */
import { isIPv4, isIPv6 } from "node:net";

/** IPv6: the /64 is the host, the /48 the network. IPv4: the whole address is both. */
export type Source = { network: string; host: string };

const TEXT_LENGTH_MAX = 64;

export const sourceOf = (address: string | undefined): Source => {
  // A scoped address such as fe80::1%eth0 names the interface behind the percent sign.
  const [plain = ""] = (address ?? "").split("%");
  if (isIPv4(plain)) return whole(plain);
  // A proxy may send a text that is no address, and a closed socket has none.
  if (!isIPv6(plain)) return whole(plain.slice(0, TEXT_LENGTH_MAX) || "unknown");
  const groups = groupsOf(plain);
  // ::ffff:192.0.2.1 is the IPv4 client as a socket that takes both kinds shows it.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return whole(
      groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 0xff])
        .join("."),
    );
  const prefix = (count: number): string =>
    groups
      .slice(0, count)
      .map((group) => group.toString(16))
      .join(":");
  return { network: `${prefix(3)}::/48`, host: `${prefix(4)}::/64` };
};

/** The network that may be one customer with many addresses: an IPv4 /24, or the /48 of an IPv6 address. */
export const neighbourhoodOf = ({ host, network }: Source): string =>
  isIPv4(host) ? `${host.slice(0, host.lastIndexOf("."))}.0/24` : network;

const whole = (text: string): Source => ({ network: text, host: text });

/** The eight 16-bit numbers of an IPv6 address. The URL parser writes every form in the same way, dotted endings included. */
const groupsOf = (address: string): number[] => {
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const numbers = (part: string): number[] => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [before, after] = [numbers(head), numbers(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
};
