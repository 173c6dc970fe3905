/** Addresses that must never be dialled, in all their shapes, and their public neighbours. */

/** IANA's registries of special-purpose addresses, line by line, and what is multicast, reserved or given up. */
const IPV4_RANGES = `
0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29 192.0.0.8/32
192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.88.99.2/32
192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 224.0.0.0/24 232.0.0.0/8 233.252.0.0/24
239.0.0.0/8 240.0.0.0/4 255.255.255.255/32`;

const IPV6_RANGES = `
::/128 ::1/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128
2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16
2620:4f:8000::/48 3fff::/20 4000::/3 5f00::/16 fc00::/7 fc00::/8 fd00::/8 fe80::/10 fec0::/10 ff00::/8 ff02::/16 ff05::/16 ff0e::/16`;

/** What an attacker would try first: this machine, the metadata services of clouds, routers, well-known groups. */
const FAVOURITES = `
127.0.0.1 127.0.0.53 127.1.2.3 0.0.0.1 10.0.0.1 100.100.100.200 169.254.169.254 169.254.170.2 172.17.0.1 192.168.0.1 192.168.1.1
192.168.100.1 224.0.0.251 239.255.255.250 255.255.255.254 ::2 ::ffff fd00:ec2::254 fe80::1 fe80::a9fe:a9fe fec0::1 ff02::fb ff05::1:3
2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8:85a3::8a2e:370:7334 8000::1 c000::1 e000::1 fe00::1`;

/** IPv4 addresses that IPv6 can carry inside it. The public one is refused as well: who wants it may write it plainly. */
const CARRIED = ["0.0.0.0", "127.0.0.1", "10.0.0.1", "100.64.0.1", "169.254.169.254", "172.16.0.1", "192.168.0.1", "8.8.8.8"];

/** The last address before and the first after a block, and hosts that everybody knows. */
const PUBLIC_TEXT = `
1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.215.14 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.31.195.255
192.31.197.0 192.52.192.255 192.52.194.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 192.175.47.255
192.175.49.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255
2000::1 2001:200::1 2001:4860:4860::8888 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9::1 2003::1 2400:cb00::1 2606:4700:4700::1111
2620:4f:7fff:ffff:ffff:ffff:ffff:ffff 2620:4f:8001::1 2a00:1450:4001::1 3ffe:ffff::1 3fff:1000::1`;

const split = (text: string): string[] => text.trim().split(/\s+/);

const numberOfIpv4 = (text: string): bigint => text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
const textOfIpv4 = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");

const numberOfIpv6 = (text: string): bigint => {
  const [head = "", tail = ""] = text.split("::");
  const [left, right] = [head, tail].map((part) => part.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - (left?.length ?? 0) - (right?.length ?? 0) }, () => "0");
  return [...(left ?? []), ...zeros, ...(right ?? [])].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
};
const textOfIpv6 = (value: bigint): string =>
  Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(":");

/** First, last and one from the inside. */
const edgesOf = (range: string): string[] => {
  const [base = "", prefix = ""] = range.split("/");
  const isIpv6 = base.includes(":");
  const first = isIpv6 ? numberOfIpv6(base) : numberOfIpv4(base);
  const size = 1n << BigInt((isIpv6 ? 128 : 32) - Number(prefix));
  return [first, first + size - 1n, first + (size * 2n) / 3n].map(isIpv6 ? textOfIpv6 : textOfIpv4);
};

const hexOf = (ipv4: string): string => {
  const value = numberOfIpv4(ipv4);
  return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
};

/** Compatible, mapped, translated, NAT64 by both prefixes, 6to4, and Teredo, which writes the client's address inverted. */
const carryingOf = (ipv4: string): string[] => {
  const hex = hexOf(ipv4);
  const inverted = hexOf(textOfIpv4(numberOfIpv4(ipv4) ^ 0xffff_ffffn));
  const plain = [`::ffff:${ipv4}`, `::ffff:${hex}`, `::ffff:0:${ipv4}`, `64:ff9b::${ipv4}`, `64:ff9b::${hex}`, `64:ff9b:1::${hex}`];
  return [...plain, `::${hex}`, `2002:${hex}::`, `2002:${hex}::1`, `2001:0:${hex}::1`, `2001:0:0808:0808:0:0:${inverted}`];
};

export const BLOCKED = [
  ...new Set([...[...split(IPV4_RANGES), ...split(IPV6_RANGES)].flatMap(edgesOf), ...split(FAVOURITES), ...CARRIED.flatMap(carryingOf)]),
];
export const PUBLIC = split(PUBLIC_TEXT);
