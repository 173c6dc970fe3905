/** Certificates for a run, signed by an authority that lives as long as the run: DER written by hand, keys from Node. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import ipaddr from "ipaddr.js";

export type Certificate = { cert: string; key: string };
export type Authority = Certificate & { privateKey: KeyObject; name: string };

type CertificateSettings = { name: string; hosts?: string[]; validUntil?: Date; issuer?: Authority };

const DAY_MS = 24 * 60 * 60 * 1000;

/** Object identifiers in their DER bytes. */
const OID = { commonName: "550403", basicConstraints: "551d13", altName: "551d11", ecdsaSha256: "2a8648ce3d040302" };

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const nameOf = (value: string): Buffer => sequence(der(0x31, sequence(oid(OID.commonName), text(value))));
const time = (value: Date): Buffer => der(0x18, Buffer.from(`${value.toISOString().replace(/[-:T]|\.\d+/g, "")}`));
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x01, Buffer.from([0xff])), der(0x04, value));

/** A name, or an address in its bytes. */
const altName = (host: string): Buffer =>
  ipaddr.isValid(host) ? der(0x87, Buffer.from(ipaddr.parse(host).toByteArray())) : der(0x82, Buffer.from(host));

const make = ({ name, hosts = [], validUntil = new Date(Date.now() + DAY_MS), issuer }: CertificateSettings): Authority => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid(OID.ecdsaSha256));
  const isAuthority = hosts.length === 0;
  const extensions = isAuthority
    ? extension(OID.basicConstraints, sequence(der(0x01, Buffer.from([0xff]))))
    : extension(OID.altName, sequence(...hosts.map(altName)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...crypto.getRandomValues(new Uint8Array(8))])),
    algorithm,
    nameOf(issuer?.name ?? name),
    sequence(time(new Date(validUntil.getTime() - 30 * DAY_MS)), time(validUntil)),
    nameOf(name),
    createPublicKey(publicKey.export({ type: "spki", format: "pem" })).export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extensions)),
  );
  const signature = sign("sha256", body, issuer?.privateKey ?? privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    privateKey,
    name,
  };
};

export const createAuthority = (): Authority => make({ name: "Comanda test authority" });

/** Makes a certificate for these host names or addresses, signed by the authority; without one it is self-signed. */
export const createCertificate = (hosts: string[], given: { issuer?: Authority; validUntil?: Date } = {}): Certificate =>
  make({ name: hosts[0] ?? "", hosts, ...given });
