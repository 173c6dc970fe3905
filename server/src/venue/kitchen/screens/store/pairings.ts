/**
 * Devices that show a code. The table has some 2,000 rows at most and changes all the time, so a few columns without an index are read as
 * a whole.
 */
import { sql } from "kysely";
import { first, oneRow } from "#db/query.ts";
import type { Ctx, GlobalContext } from "#lib/context.ts";
import type { Source } from "#lib/network-source.ts";
import { realNow } from "#lib/venue-clock.ts";
import { NOTE_POLL_EVERY_MS, POLL_MS_MAX } from "../rules.ts";

export type PairingRow = { code: string; expires_at: Date };

const beforeNow = (ctx: Pick<GlobalContext, "now">, ms: number): Date => new Date(realNow(ctx).getTime() - ms);

const isWaiting = (ctx: Pick<GlobalContext, "now">) => sql`expires_at > ${realNow(ctx)} and polled_at > ${beforeNow(ctx, POLL_MS_MAX)}`;

export const findPairing = (ctx: Pick<GlobalContext, "db" | "now">, hash: Buffer): Promise<PairingRow | undefined> =>
  first(ctx.db.query(sql<PairingRow>`select code, expires_at from screen_pairings where hash = ${hash} and ${isWaiting(ctx)}`));

export const notePoll = (ctx: GlobalContext, hash: Buffer): void =>
  ctx.db.defer(sql`
    update screen_pairings set polled_at = ${realNow(ctx)} where hash = ${hash} and polled_at <= ${beforeNow(ctx, NOTE_POLL_EVERY_MS)}`);

type WaitingDevices = { of_all: number; of_network: number; of_host: number };

export const countWaiting = (ctx: GlobalContext, { network, host }: Source): Promise<WaitingDevices> =>
  oneRow(
    ctx.db.query(sql<WaitingDevices>`
      select count(*)::integer as of_all, (count(*) filter (where network = ${network}))::integer as of_network,
        (count(*) filter (where network = ${network} and host = ${host}))::integer as of_host from screen_pairings`),
  );

/** Two that evict at once take different codes. */
const evictOldest = async (ctx: GlobalContext, network: string | null, hostCodesMin: number): Promise<boolean> => {
  const evicted = await ctx.db.query(sql`
    with counted as (
      select hash, count(*) over (partition by network) as of_network, count(*) over (partition by network, host) as of_host
      from screen_pairings where ${network}::text is null or network = ${network}
    )
    delete from screen_pairings where hash = (
      select p.hash from screen_pairings p join counted c on c.hash = p.hash where c.of_host >= ${hostCodesMin}::integer
      order by c.of_network desc, c.of_host desc, p.expires_at limit 1 for update of p skip locked
    ) returning true`);
  return evicted.length > 0;
};

/** Ends the oldest code of the host that has the most in the network with the most. */
export const evictFromLargest = (ctx: GlobalContext): Promise<boolean> => evictOldest(ctx, null, 1);

/** Ends a code within one network. False when no host has at least two more codes than the one that asks. */
export const evictFromNetwork = (ctx: GlobalContext, network: string, own: number): Promise<boolean> => evictOldest(ctx, network, own + 2);

type NewPairing = Source & { hash: Buffer; code: string; client: string | null; expiresAt: Date };

/** There are 34 thousand million codes. Should one be drawn that another device shows, the insert fails and the person taps again. */
export const insertPairing = (ctx: GlobalContext, { hash, code, client, expiresAt, network, host }: NewPairing): void =>
  ctx.db.defer(sql`
    insert into screen_pairings (hash, code, client, expires_at, network, host, polled_at)
    values (${hash}, ${code}, ${client}, ${expiresAt}, ${network}, ${host}, ${realNow(ctx)})`);

export const deletePairing = (ctx: GlobalContext, hash: Buffer): void =>
  ctx.db.defer(sql`delete from screen_pairings where hash = ${hash}`);

/** They must not be counted until the purge. */
export const deleteStalePairings = (ctx: GlobalContext): void =>
  ctx.db.defer(sql`
    delete from screen_pairings where hash in (
      select hash from screen_pairings where not (${isWaiting(ctx)}) for update skip locked)`);

/** Two managers may type the same code. The first one gets the device. */
export const takePairing = (ctx: Ctx, code: string): Promise<{ hash: Buffer; client: string | null } | undefined> =>
  first(
    ctx.db.query(sql<{ hash: Buffer; client: string | null }>`
      delete from screen_pairings where code = ${code} and ${isWaiting(ctx)} returning hash, client`),
  );
