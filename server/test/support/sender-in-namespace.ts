/**
 * The service's sender as it is, without a single option, in a network of its own: there a public address is ours to
 * listen on and we are the name server. Certificates come from the environment, and the authority by NODE_EXTRA_CA_CERTS.
 */
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { PostOutcome } from "../../src/platform/events/webhooks/send/post.ts";
import { createSender } from "../../src/platform/events/webhooks/send/sender.ts";
import { openCanaries } from "./canaries.ts";
import type { Certificate } from "./certificates.ts";
import { startFakeDns } from "./fake-dns.ts";
import { BLOCKED } from "./reserved-addresses.ts";

export type NamespaceReport = {
  outcomes: Record<string, Pick<PostOutcome, "status" | "failure" | "durationMs">>;
  /** Messages to special addresses, and those that were not refused. */
  attacks: number;
  notRefused: string[];
  received: number;
  hits: number;
  /** What a sender that takes every address for public reaches. */
  hitsOfBlind: number;
};

const IPV4 = "8.8.4.4";
const IPV6 = "2001:4860:4860::8844";
const SILENT_COUNT = 16;
/** So many at once that our one name server can keep up. */
const BATCH = 50;

const familyOf = (address: string) => (address.includes(":") ? 6 : 4);
const NAMES: Record<string, string[]> = {
  "pos.example": [IPV4, IPV6],
  "ipv6.example": [IPV6],
  "inside.example": ["127.0.0.1"],
  "mixed.example": [IPV4, "127.0.0.1"],
  "mixed6.example": [IPV4, "::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  ...Object.fromEntries(BLOCKED.map((address, index) => [`blocked${index}.example`, [address]])),
};
const known = (name: string, family: 4 | 6): string[] | null => {
  if (name.startsWith("silent")) return null;
  if (name === "half.example") return family === 4 ? [IPV4] : null;
  return (NAMES[name] ?? []).filter((address) => familyOf(address) === family);
};

let received = 0;
const listen = async ({ cert, key }: Certificate): Promise<number> => {
  const server = createServer({ cert, key }, (_request, response) => {
    received++;
    response.end("ok");
  });
  server.on("tlsClientError", () => undefined).listen(0, "::");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

const { good, selfSigned } = JSON.parse(process.env.CERTIFICATES ?? "{}") as { good: Certificate; selfSigned: Certificate };
const [port, selfSignedPort] = await Promise.all([listen(good), listen(selfSigned)]);
const canaries = await openCanaries();
await startFakeDns("127.0.0.1", known);
const sender = createSender();
const post = (url: string, by = sender) => by.send({ url, headers: {}, body: "{}" });

const hosts = [IPV4, `[${IPV6}]`, "pos.example", "POS.EXAMPLE", "pos.example.", "ipv6.example", "half.example", "none.example"];
const inner = ["127.0.0.1", "[::1]", "inside.example", "mixed.example", "mixed6.example", "mapped.example"];
const silent = Array.from({ length: SILENT_COUNT }, (_, index) => `silent${index}.example`);
const targets = [...silent, ...hosts, ...inner].map((host) => [host, `https://${host}:${port}/`]);
const outcomes: NamespaceReport["outcomes"] = {};
await Promise.all(
  [...targets, ["self-signed", `https://pos.example:${selfSignedPort}/`]].map(async ([what = "", url = ""]) => {
    const { status, failure, durationMs } = await post(url);
    outcomes[what] = { status, failure, durationMs };
  }),
);

const literals = BLOCKED.map((address) => (familyOf(address) === 6 ? `[${address}]` : address));
const attacks = canaries.ports.flatMap((at) =>
  [...literals, ...inner, ...Object.keys(NAMES).filter((name) => name.startsWith("blocked"))].map((host) => `https://${host}:${at}/`),
);
const notRefused: string[] = [];
for (let from = 0; from < attacks.length; from += BATCH) {
  const batch = attacks.slice(from, from + BATCH);
  const answers = await Promise.all(batch.map((url) => post(url)));
  notRefused.push(...batch.filter((_, index) => answers[index]?.failure !== "blocked_address"));
}
const hits = canaries.hits();

const blind = createSender({ isPublic: () => true });
await Promise.all(inner.flatMap((host) => canaries.ports.map((at) => post(`https://${host}:${at}/`, blind))));
const report: NamespaceReport = { outcomes, attacks: attacks.length, notRefused, received, hits, hitsOfBlind: canaries.hits() };
process.stdout.write(JSON.stringify(report), () => process.exit(0));
