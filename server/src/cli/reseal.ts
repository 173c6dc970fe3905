/** Seals every secret anew with the first of SECRET_KEYS: the step between putting a new key in front and taking the old one out. */
import type { Command } from "commander";
import { checkKeys, forgetOtherKeys } from "#db/key-check.ts";
import { openDb } from "#db/pool.ts";
import type { Db } from "#db/query.ts";
import {
  discardRows,
  listVenuesSealedWith,
  readKeyUses,
  readSealedColumns,
  resealRows,
  type SealedColumn,
  type SomeRows,
} from "#db/sealed-columns.ts";
import type { Deps } from "#deps.ts";
import { Misuse } from "#lib/errors.ts";
import type { SecretKey } from "#lib/sealed.ts";
import { forgetLostFactors } from "#platform/factor/service.ts";
import { print } from "./print.ts";
import { forHouse, forVenueId, withSession } from "./session.ts";

/** Locked at once; then they are committed, and the next ones follow. */
const BATCH_ROWS = 200;
const VENUES_PAGE = 500;
/** Last: while it is sealed with an older key, no process without that key starts. */
const CANARY_TABLE = "cell";

type Options = { discard?: string; json?: boolean };

export const addResealCommand = (program: Command): void => {
  program
    .command("reseal")
    .description("seal every secret anew with the first of SECRET_KEYS, so that older keys can be taken out")
    .option("--discard <name>", "take out what this key sealed, because the key is lost: secrets and second factors are made anew")
    .option("--json", "print JSON")
    .action(reseal);
};

const reseal = ({ discard, json = false }: Options): Promise<void> =>
  withSession(async ({ deps }) => {
    const { discarded, ...done } = await resealSecrets(deps, discard);
    print(json, discarded === null ? done : { ...done, discarded }, () =>
      [
        ...(discarded === null ? [] : [`Taken out, because the key "${discard}" is lost: ${discarded}.`]),
        `Sealed anew with the key "${deps.config.secretKeys[0]?.id}": ${done.resealed}.`,
      ].join("\n"),
    );
  });

export const resealSecrets = async (deps: Deps, lostKey?: string): Promise<{ resealed: number; discarded: number | null }> => {
  const { secretKeys } = deps.config;
  if (secretKeys.length === 0) throw new Misuse("SECRET_KEYS is not set: give the new key first, and behind it those that sealed so far.");
  const discarded = lostKey === undefined ? null : await discardKey(deps, lostKey);
  await checkKeys(deps.pool, secretKeys);
  const resealed = await resealAll(deps, secretKeys);
  await forgetOtherKeys(openDb(deps.pool), secretKeys);
  return { resealed, discarded };
};

const resealAll = (deps: Deps, keys: readonly SecretKey[]): Promise<number> =>
  eachBatch(
    deps,
    (keyId) => keyId !== keys[0]?.id,
    (db, rows) => resealRows(db, rows, keys),
  );

const discardKey = async (deps: Deps, lost: string): Promise<number> => {
  if (deps.config.secretKeys.some(({ id }) => id === lost))
    throw new Misuse(`The key "${lost}" is in SECRET_KEYS, so what it sealed can be opened. Run \`comanda reseal\` without --discard.`);
  const count = await eachBatch(deps, (keyId) => keyId === lost, discardRows);
  await forHouse(deps, async (ctx) => forgetLostFactors(ctx));
  return count;
};

type Batch = (db: Db, rows: SomeRows) => Promise<number>;

/** Each batch is one commit and finds only what is left to do, so a run that was cut short is simply repeated. How many secrets there were. */
const eachBatch = async (deps: Deps, isMeant: (keyId: string) => boolean, batch: Batch): Promise<number> => {
  const db = openDb(deps.pool);
  const columns = await readSealedColumns(db);
  const uses = (await readKeyUses(db)).filter(({ key_id }) => isMeant(key_id));
  const isCanary = ({ table_name }: SealedColumn): boolean => table_name === CANARY_TABLE;
  let count = 0;
  for (const column of columns.toSorted((a, b) => Number(isCanary(a)) - Number(isCanary(b))))
    for (const { key_id } of uses.filter((use) => use.table_name === column.table_name && use.column_name === column.column_name)) {
      const rows = { column, keyId: key_id, rowCount: BATCH_ROWS };
      if (isCanary(column)) await forHouse(deps, (ctx) => batch(ctx.db, { ...rows, restaurantId: null }));
      else if (!column.of_venue)
        count += await untilNoneIsLeft(() => forHouse(deps, (ctx) => batch(ctx.db, { ...rows, restaurantId: null })));
      else
        for await (const id of venuesSealedWith(db, column, key_id))
          count += await untilNoneIsLeft(() => forVenueId(deps, id, (ctx) => batch(ctx.db, { ...rows, restaurantId: id })));
    }
  return count;
};

const CANNOT_ENTER = "57P03";

const untilNoneIsLeft = async (work: () => Promise<number>): Promise<number> => {
  let count = 0;
  for (;;) {
    const done = await work().catch((error: { code?: string; message: string }) => {
      if (error.code !== CANNOT_ENTER) throw error;
      throw new Misuse(`${error.message}. Run \`comanda reseal\` again afterwards: what is done stays done.`);
    });
    count += done;
    if (done < BATCH_ROWS) return count;
  }
};

async function* venuesSealedWith(db: Db, column: SealedColumn, keyId: string): AsyncGenerator<number> {
  let after = 0;
  for (;;) {
    const ids = await listVenuesSealedWith(db, column, keyId, { after, rows: VENUES_PAGE });
    yield* ids;
    const last = ids.at(-1);
    if (last === undefined || ids.length < VENUES_PAGE) return;
    after = last;
  }
}
