/** A move while it runs: what was asked for, its connections to both cells, the venue's ids and tables. */
import type { EncryptionKey } from "@comanda/server/lib/encryption.ts";
import { UserError } from "@comanda/server/lib/errors.ts";
import type pg from "pg";
import type { CopyContext } from "./change-capture.ts";
import { assertCellsMatch, connectTo } from "./connections.ts";
import { readVenueTables, type VenueTable } from "./venue-tables.ts";

export const PHASES = ["copying", "copied", "draining", "paused", "arrived", "decided", "opened", "cleaned"] as const;
export type MovePhase = (typeof PHASES)[number];

export type MoveRequest = {
  fromUrl: string;
  toUrl: string;
  slug: string;
  /** Which cell the operator means; the database says which it is. */
  toCell?: number;
  /** What the processes of the other cell open secrets with. */
  encryptionKeys: readonly EncryptionKey[];
  onPhase?: (phase: MovePhase) => Promise<void> | void;
  /** They get the new cell of each token and grant as soon as the venue is open there. */
  onOpen?: (homes: IdLocations) => Promise<void>;
  /** How long the old rows stay for reads that were accepted before the move: the longest time a read may wait and run. */
  lateReadsMs?: number;
};

/** The venue and its sandbox, and every token and grant of them, by number, and the cell that has them now. */
export type IdLocations = { cell: number; venues: number[]; tokens: number[]; grants: number[] };

export type MoveResult = { slug: string; cell: number; rows: number; pauseMs: number; homes: IdLocations };

type VenueIds = { ids: number[]; id: number };
export type RunningMove = VenueIds & {
  wanted: MoveRequest;
  control: pg.Client;
  reader: pg.Client;
  to: pg.Client;
  aside: pg.Client;
  here: number;
  there: number;
  tables: VenueTable[];
  totals: CopyContext["totals"];
};

export const withMove = async <T>(wanted: MoveRequest, work: (move: RunningMove) => Promise<T>): Promise<T> => {
  const clients: pg.Client[] = [];
  try {
    for (const url of [wanted.fromUrl, wanted.fromUrl, wanted.toUrl, wanted.toUrl]) clients.push(await connectTo(url));
    const [control, reader, to, aside] = clients as [pg.Client, pg.Client, pg.Client, pg.Client];
    const cells = await assertCellsMatch(control, to);
    if (wanted.toCell !== undefined && wanted.toCell !== cells.there)
      throw new UserError(`MOVE_TO_DATABASE_URL is of cell ${cells.there}, not of cell ${wanted.toCell}.`);
    const venue = await findVenue(control, wanted.slug);
    const { rows } = await control.query<{ held: boolean }>("select pg_try_advisory_lock(hashtextextended('move ' || $1, 0)) as held", [
      venue.id,
    ]);
    if (!rows[0]?.held) throw new UserError(`Another command is moving ${wanted.slug}.`);
    return await work({
      ...venue,
      ...cells,
      wanted,
      control,
      reader,
      to,
      aside,
      tables: await readVenueTables(control),
      totals: new Map(),
    });
  } finally {
    for (const client of clients) await client.end().catch(() => undefined);
  }
};

const findVenue = async (client: pg.Client, slug: string): Promise<VenueIds> => {
  const { rows } = await client.query<{ id: string }>(
    `select id from app.restaurants where slug = $1 and kind = 'live'
     union all select r.id from app.restaurants r where r.kind = 'sandbox' and r.slug = $1 || '.sandbox'`,
    [slug],
  );
  const ids = rows.map(({ id }) => Number(id));
  const [id] = ids;
  if (id === undefined) throw new UserError(`There is no venue "${slug}" in this cell.`);
  return { id, ids };
};
