/** Refuses keys that do not fit the database: a process with them would fail at each secret that another process has encrypted. */
import { sql } from "kysely";
import type pg from "pg";
import { decrypt, type EncryptionKey, encrypt, fingerprintOf } from "#lib/encryption.ts";
import { UserError } from "#lib/errors.ts";
import { readKeyUses } from "./encrypted-columns.ts";
import { openDb } from "./pool.ts";
import { type Db, oneRow } from "./query.ts";

const CANARY = "This text was encrypted by Comanda.";

const canaryPurpose = (cell: number): string => `canary:${cell}`;

/**
 * Every key that encrypted something here must be among `keys`, and every key must be the one that is known here by its name. The first
 * process that has keys encrypts the canary, so that from then on others need that key although nothing else is encrypted yet.
 */
export const checkKeys = async (pool: pg.Pool, keys: readonly EncryptionKey[]): Promise<void> => {
  const db = openDb(pool);
  const uses = await readKeyUses(db);
  refuseMissing(
    uses.map(({ key_id }) => key_id),
    keys,
  );
  if (keys.length === 0) return;
  await compareFingerprints(db, keys);
  await openCanary(db, keys);
};

const quoted = (ids: Iterable<string>): string => [...new Set(ids)].map((id) => `"${id}"`).join(", ");

const refuseMissing = (used: readonly string[], keys: readonly EncryptionKey[]): void => {
  const missing = used.filter((id) => !keys.some((key) => key.id === id));
  if (missing.length > 0)
    throw new UserError(
      `The key ${quoted(missing)} that encrypted secrets of this database is not in ENCRYPTION_KEYS: put it behind the current one.`,
    );
};

const compareFingerprints = async (db: Db, keys: readonly EncryptionKey[]): Promise<void> => {
  const known = await rememberFingerprints(db, keys);
  const others = keys.filter((key) =>
    known.some(({ key_id, fingerprint }) => key_id === key.id && !fingerprint.equals(fingerprintOf(key))),
  );
  if (others.length > 0)
    throw new UserError(
      `The key ${quoted(others.map(({ id }) => id))} in ENCRYPTION_KEYS has other bytes than the key of that name that this database knows. Give every process the same keys; a new key needs a new name.`,
    );
};

/** Two processes may bring different bytes under a new name. The first one decides. */
const rememberFingerprints = async (db: Db, keys: readonly EncryptionKey[]): Promise<{ key_id: string; fingerprint: Buffer }[]> => {
  const read = () => db.query(sql<{ key_id: string; fingerprint: Buffer }>`select key_id, fingerprint from key_fingerprints`);
  const known = await read();
  const fresh = keys.filter(({ id }) => !known.some(({ key_id }) => key_id === id));
  if (fresh.length === 0) return known;
  const rows = sql.join(fresh.map((key) => sql`(${key.id}, ${fingerprintOf(key)}::bytea)`));
  await db.query(sql`insert into key_fingerprints (key_id, fingerprint) values ${rows} on conflict (key_id) do nothing`);
  return read();
};

const openCanary = async (db: Db, keys: readonly EncryptionKey[]): Promise<void> => {
  const read = () => oneRow(db.query(sql<{ number: number; encrypted_canary: string | null }>`select number, encrypted_canary from cell`));
  const { number, encrypted_canary: before } = await read();
  if (before === null) {
    const canary = encrypt(keys, CANARY, canaryPurpose(number));
    await db.query(sql`update cell set encrypted_canary = ${canary} where encrypted_canary is null`);
  }
  const { encrypted_canary } = before === null ? await read() : { encrypted_canary: before };
  // Another process may have been first, with keys of its own.
  if (encrypted_canary !== null) decrypt(keys, encrypted_canary, canaryPurpose(number));
};

/** Names that no process has any more may be given to other keys. For `reseal`, once nothing is encrypted with them. */
export const deleteUnusedFingerprints = async (db: Db, keys: readonly EncryptionKey[]): Promise<void> => {
  const used = (await readKeyUses(db)).map(({ key_id }) => key_id);
  const kept = [...keys.map(({ id }) => id), ...used];
  await db.query(sql`delete from key_fingerprints where key_id <> all(${kept}::text[])`);
};
