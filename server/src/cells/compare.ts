/** Which cell each venue lives in, by the latest move that any cell knows of. A restored cell may have missed some. */
import type pg from "pg";
import { wipe } from "./changes.ts";
import { markMoved, type Phase, setEpoch } from "./homes.ts";
import { STUB } from "./move.ts";
import { removeJobs } from "./parcels.ts";
import { readVenueTables } from "./tables.ts";

export type VenueState = {
  id: number;
  slug: string;
  /** How often the venue had moved. */
  epoch: number;
  phase: Phase | null;
  other_cell: number | null;
};

export type CellState = { cell: number; venues: VenueState[] };

export const readCellState = async (client: pg.ClientBase): Promise<CellState> => {
  const { rows: cells } = await client.query<{ number: number }>("select number from app.cell");
  const { rows } = await client.query<VenueState & { id: string }>(
    `select r.id, r.slug, coalesce(e.epoch, 0) as epoch, m.phase, m.other_cell from app.restaurants r
       left join app.venue_epochs e on e.restaurant_id = r.id left join app.moves m on m.restaurant_id = r.id order by r.id`,
  );
  return { cell: cells[0]?.number ?? 0, venues: rows.map((row) => ({ ...row, id: Number(row.id) })) };
};

/** What a cell knows of a venue's home: itself, or the cell that it has moved to. A cell where it is only arriving knows nothing yet. */
const homeOf = (cell: number, { phase, other_cell }: VenueState): number | null => {
  if (phase === "arriving") return null;
  return phase === "moved" ? other_cell : cell;
};

export type Known = { id: number; slug: string; epoch: number; home: number };

/** More moves are later. Of two cells that know of equally many, the one that serves the venue knows it better. */
const rankOf = ({ epoch, phase }: VenueState): number => epoch * 2 + (phase === "moved" ? 0 : 1);

/** For each venue what the cells say that know most of it: one home, unless two cells contradict each other. */
const latestOf = (cells: readonly CellState[]): Map<number, Known[]> => {
  const latest = new Map<number, { rank: number; known: Known[] }>();
  for (const { cell, venues } of cells)
    for (const venue of venues) {
      const [home, rank] = [homeOf(cell, venue), rankOf(venue)];
      const best = latest.get(venue.id) ?? { rank: -1, known: [] };
      if (home === null || rank < best.rank) continue;
      const said = { id: venue.id, slug: venue.slug, epoch: venue.epoch, home };
      latest.set(venue.id, { rank, known: rank > best.rank ? [said] : [...best.known, said] });
    }
  return new Map([...latest].map(([id, { known }]) => [id, known]));
};

export type Comparison = {
  /** They live elsewhere: this cell missed their move. */
  away: Known[];
  /** They live here by what other cells know, but this cell has not got their rows. */
  missing: Known[];
  /** They live here, after more moves than this cell knows of. */
  back: Known[];
  /** Two cells say that they live there, after equally many moves. */
  unclear: Known[];
};

/** Pure. `here` is the restored cell. */
export const compareHomes = (here: CellState, others: readonly CellState[]): Comparison => {
  const comparison: Comparison = { away: [], missing: [], back: [], unclear: [] };
  const ours = new Map(here.venues.map((venue) => [venue.id, venue]));
  for (const [id, known] of latestOf([here, ...others])) {
    const [latest] = known;
    const our = ours.get(id);
    if (!latest || (our === undefined && latest.home !== here.cell)) continue;
    const isOpenHere = our !== undefined && homeOf(here.cell, our) === here.cell;
    if (new Set(known.map(({ home }) => home)).size > 1) {
      if (known.some(({ home }) => home === here.cell)) comparison.unclear.push(latest);
    } else if (latest.home !== here.cell) {
      if (isOpenHere) comparison.away.push(latest);
    } else if (!isOpenHere) comparison.missing.push(latest);
    else if (our.epoch < latest.epoch) comparison.back.push(latest);
  }
  return comparison;
};

/** The venues that live elsewhere are left as after a move: name, tokens and grants, to answer 503. In the caller's transaction. */
export const applyComparison = async (client: pg.ClientBase, { away, back }: Comparison): Promise<void> => {
  const tables = (await readVenueTables(client)).filter(({ name }) => !STUB.includes(name));
  for (const { id, home, epoch } of away) {
    await markMoved(client, id, { cell: home, epoch });
    await removeJobs(client, [id]);
    await wipe(client, tables, [id]);
  }
  for (const { id, epoch } of back) await setEpoch(client, id, epoch);
};
