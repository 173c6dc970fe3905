/** The sender exactly as the service creates it, against a public address, real name servers and a real environment. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { createAuthority, createCertificate } from "../../../../test/support/certificates.ts";
import type { NamespaceReport } from "../../../../test/support/sender-in-namespace.ts";

const CHILD = fileURLToPath(new URL("../../../../test/support/sender-in-namespace.ts", import.meta.url));
const ADDRESSES = ["8.8.4.4", "2001:4860:4860::8844"];

const RUN_MS_MAX = 50_000;

/** Loopback with two public addresses, and a list of name servers of the test. */
const PREPARE = `set -e
ip link set lo up
ip addr add ${ADDRESSES[0]}/32 dev lo
ip addr add ${ADDRESSES[1]}/128 dev lo nodad
mount --bind "$NAME_SERVERS" /etc/resolv.conf
exec "$@"`;

const folder = mkdtempSync(join(tmpdir(), "comanda-namespace-"));
const nameServers = join(folder, "resolv.conf");
writeFileSync(nameServers, "nameserver 127.0.0.1\n");
afterAll(() => rmSync(folder, { recursive: true }));

const inNamespace = (flags: string, command: string[]): string[] => [flags, "sh", "-c", PREPARE, "sh", ...command];

/** It runs as root, or as a user who may create a user namespace. Otherwise this is the reason why it cannot. */
const findFlags = (): { flags: string | null; reason: string } => {
  let reason = "";
  for (const flags of ["-nm", "-rnm"]) {
    const { status, stderr, error } = spawnSync("unshare", inNamespace(flags, ["true"]), {
      env: { PATH: process.env.PATH, NAME_SERVERS: nameServers },
      encoding: "utf8",
    });
    if (status === 0) return { flags, reason: "" };
    reason = (stderr ?? error?.message ?? "").trim();
  }
  return { flags: null, reason };
};
const { flags, reason } = findFlags();
if (flags === null) console.log(`No network namespace can be made here, so the sender is not tried in one: ${reason}`);

const run = async (): Promise<NamespaceReport> => {
  const authority = createAuthority();
  const hosts = [...ADDRESSES, "pos.example", "ipv6.example", "half.example"];
  const certificates = { good: createCertificate(hosts, { issuer: authority }), selfSigned: createCertificate(hosts) };
  writeFileSync(join(folder, "authority.pem"), authority.cert);
  const env = {
    PATH: process.env.PATH,
    NAME_SERVERS: nameServers,
    NODE_EXTRA_CA_CERTS: join(folder, "authority.pem"),
    CERTIFICATES: JSON.stringify(certificates),
    // Environment variables that the sender must ignore.
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    NODE_USE_ENV_PROXY: "1",
    HTTPS_PROXY: "http://127.0.0.1:6379",
    https_proxy: "http://127.0.0.1:6379",
  };
  const command = inNamespace(flags ?? "", [process.execPath, CHILD]);
  const { stdout } = await promisify(execFile)("unshare", command, { env, maxBuffer: 10_000_000, timeout: RUN_MS_MAX });
  return JSON.parse(stdout) as NamespaceReport;
};

test.skipIf(flags === null)("D179 T5.6 the sender of the service reaches public addresses and nothing inside", async () => {
  const { outcomes, attacks, notRefused, received, hits, hitsOfBlind } = await run();
  const found = (failure: string | null) => new Set(Object.keys(outcomes).filter((what) => outcomes[what]?.failure === failure));
  const outside = ["8.8.4.4", "[2001:4860:4860::8844]", "pos.example", "POS.EXAMPLE", "pos.example.", "ipv6.example", "half.example"];
  expect(found(null)).toEqual(new Set(outside));
  expect(received).toBe(outside.length);
  const inside = ["127.0.0.1", "[::1]", "inside.example", "mixed.example", "mixed6.example", "mapped.example"];
  expect(found("blocked_address")).toEqual(new Set(inside));
  expect(found("tls")).toEqual(new Set(["self-signed"]));

  console.log(`${attacks} messages to special addresses: ${hits} connections; a blind sender makes ${hitsOfBlind}`);
  expect({ notRefused, hits }).toEqual({ notRefused: [], hits: 0 });
  expect(hitsOfBlind).toBeGreaterThan(0);

  const unresolved = [...found("dns")];
  const silent = unresolved.filter((name) => name.startsWith("silent"));
  const tookMs = outcomes["pos.example"]?.durationMs ?? Number.POSITIVE_INFINITY;
  console.log(`behind ${silent.length} names whose server is silent, a message took ${tookMs} ms`);
  expect(unresolved.filter((name) => !silent.includes(name))).toEqual(["none.example"]);
  expect(silent).toHaveLength(16);
  expect(tookMs).toBeLessThan(2000);
});
