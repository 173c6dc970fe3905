/** Encrypts every secret again with the first of ENCRYPTION_KEYS: the step between adding a new key in front and removing the old one. */
import type { Command } from "commander";
import {
  discardRows,
  type EncryptedColumn,
  listVenuesEncryptedWith,
  readEncryptedColumns,
  readKeyUses,
  reencryptRows,
  type SomeRows,
} from "#db/encrypted-columns.ts";
import { checkKeys, deleteUnusedFingerprints } from "#db/encryption-key-check.ts";
import { openDb } from "#db/pool.ts";
import type { Db } from "#db/query.ts";
import type { Deps } from "#deps.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { UserError } from "#lib/errors.ts";
import { deleteFactorsWithoutSecret } from "#platform/people/users/store.ts";
import { forVenueId, withCommandContext, withoutVenue } from "./command-context.ts";
import { print } from "./print.ts";

/** Locked at once; then they are committed, and the next ones follow. */
const BATCH_ROWS = 200;
const VENUES_PAGE = 500;
/** Last: while it is encrypted with an older key, no process without that key starts. */
const CANARY_TABLE = "cell";

type ResealOptions = { discard?: string; json?: boolean };

export const addResealCommand = (program: Command): void => {
  program
    .command("reseal")
    .description("encrypt every secret again with the first of ENCRYPTION_KEYS, so that older keys can be removed")
    .option("--discard <name>", "delete what this key encrypted, because the key is lost: secrets and second factors are created again")
    .option("--json", "print JSON")
    .action(runReseal);
};

const runReseal = ({ discard, json = false }: ResealOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const { discarded, ...done } = await reencryptSecrets(deps, discard);
    print(json, discarded === null ? done : { ...done, discarded }, () =>
      [
        ...(discarded === null ? [] : [`Taken out, because the key "${discard}" is lost: ${discarded}.`]),
        `Encrypted again with the key "${deps.config.encryptionKeys[0]?.id}": ${done.resealed}.`,
      ].join("\n"),
    );
  });

export const reencryptSecrets = async (deps: Deps, lostKey?: string): Promise<{ resealed: number; discarded: number | null }> => {
  const { encryptionKeys } = deps.config;
  if (encryptionKeys.length === 0)
    throw new UserError("ENCRYPTION_KEYS is not set: give the new key first, and behind it those that encrypted so far.");
  const discarded = lostKey === undefined ? null : await discardKey(deps, lostKey);
  await checkKeys(deps.pool, encryptionKeys);
  const resealed = await reencryptAll(deps, encryptionKeys);
  await deleteUnusedFingerprints(openDb(deps.pool), encryptionKeys);
  return { resealed, discarded };
};

const reencryptAll = (deps: Deps, keys: readonly EncryptionKey[]): Promise<number> =>
  eachBatch(
    deps,
    (keyId) => keyId !== keys[0]?.id,
    (db, rows) => reencryptRows(db, rows, keys),
  );

const discardKey = async (deps: Deps, lost: string): Promise<number> => {
  if (deps.config.encryptionKeys.some(({ id }) => id === lost))
    throw new UserError(
      `The key "${lost}" is in ENCRYPTION_KEYS, so what it encrypted can be decrypted. Run \`comanda-admin reseal\` without --discard.`,
    );
  const count = await eachBatch(deps, (keyId) => keyId === lost, discardRows);
  await withoutVenue(deps, async (ctx) => deleteFactorsWithoutSecret(ctx));
  return count;
};

type KeyBatch = (db: Db, rows: SomeRows) => Promise<number>;

/** Each batch is one commit and finds only what is left to do, so a run that was cut short is simply repeated. How many secrets there were. */
const eachBatch = async (deps: Deps, isMeant: (keyId: string) => boolean, batch: KeyBatch): Promise<number> => {
  const db = openDb(deps.pool);
  const columns = await readEncryptedColumns(db);
  const uses = (await readKeyUses(db)).filter(({ key_id }) => isMeant(key_id));
  const isCanary = ({ table_name }: EncryptedColumn): boolean => table_name === CANARY_TABLE;
  let count = 0;
  for (const column of columns.toSorted((a, b) => Number(isCanary(a)) - Number(isCanary(b))))
    for (const { key_id } of uses.filter((use) => use.table_name === column.table_name && use.column_name === column.column_name)) {
      const rows = { column, keyId: key_id, rowCount: BATCH_ROWS };
      if (isCanary(column)) await withoutVenue(deps, (ctx) => batch(ctx.db, { ...rows, restaurantId: null }));
      else if (!column.of_venue)
        count += await untilNoneIsLeft(() => withoutVenue(deps, (ctx) => batch(ctx.db, { ...rows, restaurantId: null })));
      else
        for await (const id of venuesEncryptedWith(db, column, key_id))
          count += await untilNoneIsLeft(() => forVenueId(deps, id, (ctx) => batch(ctx.db, { ...rows, restaurantId: id })));
    }
  return count;
};

const VENUE_UNAVAILABLE = "57P03";

const untilNoneIsLeft = async (work: () => Promise<number>): Promise<number> => {
  let count = 0;
  for (;;) {
    const done = await work().catch((error: { code?: string; message: string }) => {
      if (error.code !== VENUE_UNAVAILABLE) throw error;
      throw new UserError(`${error.message}. Run \`comanda-admin reseal\` again afterwards: what is done stays done.`);
    });
    count += done;
    if (done < BATCH_ROWS) return count;
  }
};

async function* venuesEncryptedWith(db: Db, column: EncryptedColumn, keyId: string): AsyncGenerator<number> {
  let after = 0;
  for (;;) {
    const ids = await listVenuesEncryptedWith(db, column, keyId, { after, rows: VENUES_PAGE });
    yield* ids;
    const last = ids.at(-1);
    if (last === undefined || ids.length < VENUES_PAGE) return;
    after = last;
  }
}
