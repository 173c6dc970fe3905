/** States in rows from the start down to the end, each below all that lead to it; arrows bend round the states between (layered drawing). */
import type { Arrow } from "./diagram.ts";
import { round, svgOf, tipAt } from "./svg.ts";

const ROW_HEIGHT = 68;
const STATE_HEIGHT = 30;
const DOT_RADIUS = 8;
const GAP = 22;
const MARGIN = 12;
const SWEEPS = 12;

/** A state, or the place where a long arrow crosses a row. */
type Place = { id: string; row: number; width: number; isState: boolean; x: number };
type Step = { from: Place; to: Place };

/** Null when a state can be reached from itself: such a diagram has no rows. */
export const statePicture = (arrows: Arrow[], escaped: (text: string) => string): string | null => {
  const rows = rowsOf(arrows);
  if (!rows) return null;
  const { places, ways } = layOut(arrows, rows);
  arrange(places, ways.flat());
  const left = Math.min(...places.map(({ x, width }) => x - width / 2)) - MARGIN;
  for (const place of places) place.x -= left;
  const width = Math.max(...places.map(({ x, width: own }) => x + own / 2)) + MARGIN;
  const height = (Math.max(...places.map(({ row }) => row)) + 1) * ROW_HEIGHT;
  return svgOf(width, height, [...ways.map(drawWay), ...places.filter(({ isState }) => isState).map((place) => drawState(place, escaped))]);
};

/** The longest way from a beginning, in steps. */
const rowsOf = (arrows: Arrow[]): Map<string, number> | null => {
  const states = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const rows = new Map([...states].map((state) => [state, 0]));
  for (let pass = 0; pass <= states.size; pass++) {
    const late = arrows.filter(({ from, to }) => (rows.get(to) ?? 0) <= (rows.get(from) ?? 0));
    if (late.length === 0) return rows;
    for (const { from, to } of late) rows.set(to, (rows.get(from) ?? 0) + 1);
  }
  return null;
};

const layOut = (arrows: Arrow[], rows: Map<string, number>): { places: Place[]; ways: Step[][] } => {
  const places = new Map<string, Place>();
  const placeOf = (id: string, row: number, isState: boolean): Place => {
    const known = places.get(id);
    if (known) return known;
    const place = { id, row, isState, width: !isState ? 8 : isDot(id) ? DOT_RADIUS * 2 : id.length * 8 + 26, x: 0 };
    places.set(id, place);
    return place;
  };
  for (const [state, row] of rows) placeOf(state, row, true);
  const ways = arrows.map(({ from, to }) => {
    const [first, last] = [rows.get(from) ?? 0, rows.get(to) ?? 0];
    const between = Array.from({ length: last - first - 1 }, (_, index) => placeOf(`${from} ${to} ${index}`, first + 1 + index, false));
    const stops = [placeOf(from, first, true), ...between, placeOf(to, last, true)];
    return stops.slice(1).map((stop, index) => ({ from: stops[index] as Place, to: stop }));
  });
  return { places: [...places.values()], ways };
};

const isDot = (id: string): boolean => id.startsWith("the ");

/** Each place moves towards the middle of what it is joined to, row by row, and the places of a row keep their distance. */
const arrange = (places: Place[], steps: Step[]): void => {
  const rows = [...Map.groupBy(places, ({ row }) => row).values()];
  for (const row of rows) spread(row);
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const row of sweep % 2 === 0 ? rows : rows.toReversed()) {
      for (const place of row) {
        const joined = steps.flatMap(({ from, to }) => (from === place ? [to.x] : to === place ? [from.x] : []));
        if (joined.length > 0) place.x = joined.reduce((sum, x) => sum + x, 0) / joined.length;
      }
      spread(row.sort((a, b) => a.x - b.x));
    }
};

/** In their order, no two closer than the gap, and the row's middle where it was. */
const spread = (row: Place[]): void => {
  const middle = row.reduce((sum, { x }) => sum + x, 0) / row.length;
  for (const [index, place] of row.entries()) {
    const before = row[index - 1];
    if (before) place.x = Math.max(place.x, before.x + (before.width + place.width) / 2 + GAP);
  }
  const shift = middle - row.reduce((sum, { x }) => sum + x, 0) / row.length;
  for (const place of row) place.x += shift;
};

const middleOf = ({ row }: Place): number => row * ROW_HEIGHT + ROW_HEIGHT / 2;
const reachOf = ({ id, isState }: Place): number => (!isState ? 0 : isDot(id) ? DOT_RADIUS : STATE_HEIGHT / 2);

const drawWay = (way: Step[]): string => {
  const curves = way.map(({ from, to }) => {
    const [top, bottom] = [middleOf(from) + reachOf(from), middleOf(to) - reachOf(to)];
    const half = round((top + bottom) / 2);
    return `M${round(from.x)} ${round(top)}C${round(from.x)} ${half} ${round(to.x)} ${half} ${round(to.x)} ${round(bottom)}`;
  });
  const last = way.at(-1)?.to;
  return `<path class="way" d="${curves.join("")}"/>${last ? tipAt(last.x, middleOf(last) - reachOf(last), [0, 1]) : ""}`;
};

const drawState = (place: Place, escaped: (text: string) => string): string => {
  const [x, y] = [round(place.x), round(middleOf(place))];
  if (place.id === "the start") return `<circle class="dot" cx="${x}" cy="${y}" r="${DOT_RADIUS}"/>`;
  if (place.id === "the end")
    return `<circle class="state" cx="${x}" cy="${y}" r="${DOT_RADIUS}"/><circle class="dot" cx="${x}" cy="${y}" r="${DOT_RADIUS / 2}"/>`;
  const left = round(place.x - place.width / 2);
  return `<rect class="state" x="${left}" y="${y - STATE_HEIGHT / 2}" width="${place.width}" height="${STATE_HEIGHT}" rx="8"/><text class="code" x="${x}" y="${y + 4.5}">${escaped(place.id)}</text>`;
};
