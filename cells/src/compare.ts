/** Which cell each venue is in, by the latest move that any cell has recorded. A restored cell may have missed some. */
import type pg from "pg";
import { deleteVenueRows } from "./change-capture.ts";
import { KEPT_TABLES } from "./move.ts";
import { removeJobs } from "./shared-rows.ts";
import { type LocationPhase, markMoved, setEpoch } from "./venue-location.ts";
import { readVenueTables } from "./venue-tables.ts";

export type VenueMoveState = {
  id: number;
  slug: string;
  /** How often the venue had moved. */
  epoch: number;
  phase: LocationPhase | null;
  other_cell: number | null;
};

export type CellState = { cell: number; venues: VenueMoveState[] };

export const readCellState = async (client: pg.ClientBase): Promise<CellState> => {
  const { rows: cells } = await client.query<{ number: number }>("select number from app.cell");
  const { rows } = await client.query<VenueMoveState & { id: string }>(
    `select r.id, r.slug, coalesce(e.epoch, 0) as epoch, m.phase, m.other_cell from app.restaurants r
       left join app.venue_epochs e on e.restaurant_id = r.id left join app.venue_moves m on m.restaurant_id = r.id order by r.id`,
  );
  return { cell: cells[0]?.number ?? 0, venues: rows.map((row) => ({ ...row, id: Number(row.id) })) };
};

/** The cell of a venue as this cell has recorded it: itself, or the one it moved to. A cell to which it is still moving has no record. */
const locationOf = (cell: number, { phase, other_cell }: VenueMoveState): number | null => {
  if (phase === "arriving") return null;
  return phase === "moved" ? other_cell : cell;
};

export type KnownLocation = { id: number; slug: string; epoch: number; home: number };

/** More moves are later. Of two cells that know of equally many, the one that serves the venue knows it better. */
const rankOf = ({ epoch, phase }: VenueMoveState): number => epoch * 2 + (phase === "moved" ? 0 : 1);

/** Keeps for each venue what the cells with the most recorded moves say: one home, unless two cells contradict each other. */
const latestLocations = (cells: readonly CellState[]): Map<number, KnownLocation[]> => {
  const latest = new Map<number, { rank: number; known: KnownLocation[] }>();
  for (const { cell, venues } of cells)
    for (const venue of venues) {
      const [home, rank] = [locationOf(cell, venue), rankOf(venue)];
      const best = latest.get(venue.id) ?? { rank: -1, known: [] };
      if (home === null || rank < best.rank) continue;
      const said = { id: venue.id, slug: venue.slug, epoch: venue.epoch, home };
      latest.set(venue.id, { rank, known: rank > best.rank ? [said] : [...best.known, said] });
    }
  return new Map([...latest].map(([id, { known }]) => [id, known]));
};

export type LocationComparison = {
  /** They are in another cell: this cell missed their move. */
  away: KnownLocation[];
  /** They are here by the records of other cells, but this cell does not have their rows. */
  missing: KnownLocation[];
  /** They are here, after more moves than this cell has recorded. */
  back: KnownLocation[];
  /** Two cells claim to have them, after equally many moves. */
  unclear: KnownLocation[];
};

/** Pure. `here` is the restored cell. */
export const compareLocations = (here: CellState, others: readonly CellState[]): LocationComparison => {
  const comparison: LocationComparison = { away: [], missing: [], back: [], unclear: [] };
  const ours = new Map(here.venues.map((venue) => [venue.id, venue]));
  for (const [id, known] of latestLocations([here, ...others])) {
    const [latest] = known;
    const our = ours.get(id);
    if (!latest || (our === undefined && latest.home !== here.cell)) continue;
    const isOpenHere = our !== undefined && locationOf(here.cell, our) === here.cell;
    if (new Set(known.map(({ home }) => home)).size > 1) {
      if (known.some(({ home }) => home === here.cell)) comparison.unclear.push(latest);
    } else if (latest.home !== here.cell) {
      if (isOpenHere) comparison.away.push(latest);
    } else if (!isOpenHere) comparison.missing.push(latest);
    else if (our.epoch < latest.epoch) comparison.back.push(latest);
  }
  return comparison;
};

/** The venues that are in another cell are left as after a move: name, tokens and grants, to answer 503. In the caller's transaction. */
export const applyComparison = async (client: pg.ClientBase, { away, back }: LocationComparison): Promise<void> => {
  const tables = (await readVenueTables(client)).filter(({ name }) => !KEPT_TABLES.includes(name));
  for (const { id, home, epoch } of away) {
    await markMoved(client, id, { cell: home, epoch });
    await removeJobs(client, [id]);
    await deleteVenueRows(client, tables, [id]);
  }
  for (const { id, epoch } of back) await setEpoch(client, id, epoch);
};
