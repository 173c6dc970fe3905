/** Addresses and networks that a setting names, such as those of trusted proxies. */
import { BlockList, isIPv4, isIPv6 } from "node:net";

/** The names that Fastify's list of trusted proxies knows. */
const NAMED: Record<string, string[]> = {
  loopback: ["127.0.0.0/8", "::1/128"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

/** What is no address is left out: Fastify refuses it at the start. */
export const addressList = (entries: readonly string[]): ((address: string | undefined) => boolean) => {
  const list = new BlockList();
  for (const entry of entries.flatMap((name) => NAMED[name] ?? [name])) {
    const [network = "", mask] = entry.split("/");
    const kind = kindOf(network);
    if (kind === null) continue;
    list.addSubnet(network, mask === undefined ? (kind === "ipv4" ? 32 : 128) : prefixOf(mask), kind);
  }
  return (address) => {
    const [plain = ""] = (address ?? "").split("%");
    const kind = kindOf(plain);
    return kind !== null && list.check(plain, kind);
  };
};

const kindOf = (address: string): "ipv4" | "ipv6" | null => (isIPv4(address) ? "ipv4" : isIPv6(address) ? "ipv6" : null);

/** A netmask such as 255.255.255.0 has as many ones as its prefix is long. */
const prefixOf = (mask: string): number =>
  isIPv4(mask) ? mask.split(".").reduce((ones, part) => ones + Number(part).toString(2).replaceAll("0", "").length, 0) : Number(mask);
