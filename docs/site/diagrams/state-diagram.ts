/** Draws a state diagram in layers: each state is in a row below all states that lead to it, and long arrows bend around the states between. */
import type { Arrow, Escape } from "./diagram.ts";
import { round, svgOf, tipAt } from "./svg.ts";

const ROW_HEIGHT = 68;
const STATE_HEIGHT = 30;
const DOT_RADIUS = 8;
const GAP = 22;
const MARGIN = 12;
const SWEEPS = 12;

/** A state, or the point where a long arrow crosses a row. */
type DiagramPoint = { id: string; row: number; width: number; isState: boolean; x: number };
type DiagramStep = { from: DiagramPoint; to: DiagramPoint };

/** Null for a diagram with a cycle, which has no rows. */
export const statePicture = (arrows: Arrow[], escaped: Escape): string | null => {
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

/** The row of each state: the number of steps on the longest way from a start. */
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

const layOut = (arrows: Arrow[], rows: Map<string, number>): { places: DiagramPoint[]; ways: DiagramStep[][] } => {
  const places = new Map<string, DiagramPoint>();
  const placeOf = (id: string, row: number, isState: boolean): DiagramPoint => {
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
    return stops.slice(1).map((stop, index) => ({ from: stops[index] as DiagramPoint, to: stop }));
  });
  return { places: [...places.values()], ways };
};

const isDot = (id: string): boolean => id.startsWith("the ");

/** Moves each point towards the middle of its neighbours, row by row, and keeps the gaps inside a row. */
const arrange = (places: DiagramPoint[], steps: DiagramStep[]): void => {
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

/** Keeps the points' order and the row's middle, and makes every gap wide enough. */
const spread = (row: DiagramPoint[]): void => {
  const middle = row.reduce((sum, { x }) => sum + x, 0) / row.length;
  for (const [index, place] of row.entries()) {
    const before = row[index - 1];
    if (before) place.x = Math.max(place.x, before.x + (before.width + place.width) / 2 + GAP);
  }
  const shift = middle - row.reduce((sum, { x }) => sum + x, 0) / row.length;
  for (const place of row) place.x += shift;
};

const middleOf = ({ row }: DiagramPoint): number => row * ROW_HEIGHT + ROW_HEIGHT / 2;
const reachOf = ({ id, isState }: DiagramPoint): number => (!isState ? 0 : isDot(id) ? DOT_RADIUS : STATE_HEIGHT / 2);

const drawWay = (way: DiagramStep[]): string => {
  const curves = way.map(({ from, to }) => {
    const [top, bottom] = [middleOf(from) + reachOf(from), middleOf(to) - reachOf(to)];
    const half = round((top + bottom) / 2);
    return `M${round(from.x)} ${round(top)}C${round(from.x)} ${half} ${round(to.x)} ${half} ${round(to.x)} ${round(bottom)}`;
  });
  const last = way.at(-1)?.to;
  return `<path class="way" d="${curves.join("")}"/>${last ? tipAt(last.x, middleOf(last) - reachOf(last), [0, 1]) : ""}`;
};

const drawState = (place: DiagramPoint, escaped: Escape): string => {
  const [x, y] = [round(place.x), round(middleOf(place))];
  if (place.id === "the start") return `<circle class="dot" cx="${x}" cy="${y}" r="${DOT_RADIUS}"/>`;
  if (place.id === "the end")
    return `<circle class="state" cx="${x}" cy="${y}" r="${DOT_RADIUS}"/><circle class="dot" cx="${x}" cy="${y}" r="${DOT_RADIUS / 2}"/>`;
  const left = round(place.x - place.width / 2);
  return `<rect class="state" x="${left}" y="${y - STATE_HEIGHT / 2}" width="${place.width}" height="${STATE_HEIGHT}" rx="8"/><text class="code" x="${x}" y="${y + 4.5}">${escaped(place.id)}</text>`;
};
