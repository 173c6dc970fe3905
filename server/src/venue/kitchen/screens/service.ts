/**
 * Paired screens. A device shows a code; a manager types it, and the device has access from then on. The device's secret is made by the
 * service and kept in a cookie, so the code alone gives access to nothing.
 */
import type { MissingParts } from "@comanda/contract/console/kitchen.ts";
import type { ScreenPurpose } from "@comanda/contract/console/operation.ts";
import { drawPairingCode, isPairingCode, plainPairingCode } from "@comanda/contract/console/pairing-codes.ts";
import type { Screen, ScreenState, Screens } from "@comanda/contract/console/screens.ts";
import type { Db } from "#db/query.ts";
import type { Actor, Ctx, GlobalContext } from "#lib/context.ts";
import type { AccountRef } from "#lib/creator.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { neighbourhoodOf, type Source } from "#lib/network-source.ts";
import type { PairedScreen } from "#lib/principal.ts";
import { randomBase62, sha256 } from "#lib/token-format.ts";
import { deviceOf } from "#lib/user-agent.ts";
import { realNow } from "#lib/venue-clock.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { stationOf } from "#venue/kitchen/service.ts";
import { readStations } from "#venue/menu/service/items.ts";
import { listBranchNames } from "#venue/settings/service.ts";
import { missingParts, PAIRING_MS, SCREENS_MAX, settingErrors, TOUCH_EVERY_MS, WAITING_MAX, WAITING_OF_NETWORK_MAX } from "./rules.ts";
import {
  countWaiting,
  deletePairing,
  deleteStalePairings,
  evictFromLargest,
  evictFromNetwork,
  findPairing,
  insertPairing,
  notePoll,
  type PairingRow,
  takePairing,
} from "./store/pairings.ts";
import {
  areStillPaired,
  countScreens,
  countScreensOf,
  findScreen,
  findScreenName,
  insertScreen,
  listScreenRows,
  listScreensPairedBy,
  lockScreen,
  type PairedSettings,
  type ScreenRow,
  setEnded,
  touchScreen,
  updateScreen,
} from "./store/screens.ts";

export { areStillPaired, listScreensPairedBy, presentScreen };

const SECRET_LENGTH = 43;
const SECRET_FORM = /^[0-9A-Za-z]{43}$/;

/** The screen of a cookie. Null when it was never paired, or has ended. */
export const authenticateScreen = async (db: Db, cookie: string): Promise<PairedScreen | null> =>
  SECRET_FORM.test(cookie) ? ((await findScreen(db, sha256(cookie))) ?? null) : null;

export const screenActor = ({ id, name }: Pick<PairedScreen, "id" | "name">): Actor => ({
  kind: "screen",
  id,
  name,
  scopes: [],
  caller: `screen:${id}`,
});

/** The screen may have ended since. */
export const readScreenActor = async (ctx: Ctx, id: number): Promise<Actor> =>
  screenActor({ id, name: (await findScreenName(ctx, id))?.name ?? "" });

/** Remembers that the screen works, at most once a minute. */
export const noteScreen = (ctx: Ctx, { id, seen_at }: PairedScreen): void => {
  if (realNow(ctx).getTime() - seen_at.getTime() >= TOUCH_EVERY_MS) touchScreen(ctx, id);
};

export const readOwnState = async (ctx: GlobalContext, cookie: string | null): Promise<ScreenState> => {
  if (cookie === null || !SECRET_FORM.test(cookie)) return presentState({});
  const [screen, pairing] = await Promise.all([findScreen(ctx.db, sha256(cookie)), findPairing(ctx, sha256(cookie))]);
  if (pairing && !screen) notePoll(ctx, sha256(cookie));
  return presentState({ ...(screen ? { screen } : {}), ...(pairing && !screen ? { pairing } : {}) });
};

/** No source keeps others from a code: above a limit one of those who have the most ends. */
const makeRoom = async (ctx: GlobalContext, place: Source): Promise<void> => {
  const waiting = await countWaiting(ctx, place);
  const isNetworkFull = waiting.of_network >= WAITING_OF_NETWORK_MAX;
  if (isNetworkFull && !(await evictFromNetwork(ctx, place.network, waiting.of_host)))
    throw apiError("rate_limited", {}, { "Retry-After": "60" });
  if (!isNetworkFull && waiting.of_all >= WAITING_MAX) await evictFromLargest(ctx);
};

type NewDevice = { cookie: string | null; client: string | null; source: Source };

/** Returns the new secret. The device's earlier pairing ends. */
export const beginPairing = async (
  ctx: GlobalContext,
  { cookie, client, source }: NewDevice,
): Promise<{ secret: string; state: ScreenState }> => {
  if (cookie !== null && SECRET_FORM.test(cookie)) deletePairing(ctx, sha256(cookie));
  deleteStalePairings(ctx);
  const place = { network: neighbourhoodOf(source), host: source.host };
  await makeRoom(ctx, place);
  const secret = randomBase62(SECRET_LENGTH);
  const [code, expiresAt] = [drawPairingCode(), new Date(realNow(ctx).getTime() + PAIRING_MS)];
  insertPairing(ctx, { hash: sha256(secret), code, client: client?.slice(0, 200) ?? null, expiresAt, ...place });
  return { secret, state: presentState({ pairing: { code, expires_at: expiresAt } }) };
};

const readChoices = async (ctx: Ctx): Promise<Pick<Screens, "branches" | "stations">> => {
  const [branches, stations] = await Promise.all([listBranchNames(ctx), readStations(ctx)]);
  return { branches, stations: [...new Set(stations.map(stationOf))].toSorted((a, b) => a.localeCompare(b)) };
};

/** The branches of the venue, and what the screen is set to and the venue no longer has. */
export const readScreenParts = async (ctx: Ctx, screen: PairedScreen): Promise<Pick<Screens, "branches"> & { missing: MissingParts }> => {
  const choices = await readChoices(ctx);
  return { branches: choices.branches, missing: missingParts(screen, choices) };
};

export const listScreens = async (ctx: Ctx): Promise<Screens> => {
  const [rows, choices] = await Promise.all([listScreenRows(ctx), readChoices(ctx)]);
  return { screens: rows.map(presentScreen), ...choices };
};

/** Screens that each of these users paired, by address. */
export const countScreensPairedBy = async (ctx: Ctx, users: readonly AccountRef[]): Promise<Map<string, number>> =>
  new Map((await countScreensOf(ctx, users)).map(({ email, count }) => [email, count]));

/** A wrong setting leaves the code valid. */
export const pairScreen = async (
  ctx: Ctx,
  { code, ...wanted }: PairedSettings & { code: string; purpose: ScreenPurpose },
): Promise<Screen> => {
  const plain = plainPairingCode(code);
  if (!isPairingCode(plain)) throw validationError({ code: ["This code is mistyped. Compare it with the screen."] });
  const [choices, count] = await Promise.all([readChoices(ctx), countScreens(ctx)]);
  const errors = settingErrors(wanted, choices);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  if (count >= SCREENS_MAX) throw validationError({ code: [`A venue has at most ${SCREENS_MAX} screens. End one that is not used.`] });
  const pairing = await takePairing(ctx, plain);
  if (!pairing) throw validationError({ code: ["No screen shows this code. It may be older than ten minutes."] });
  const row = await insertScreen(ctx, { ...wanted, ...pairing });
  recordAudit(ctx, { action: "screen.paired", subject: { kind: "screen", id: row.id }, after: { name: row.name, purpose: row.purpose } });
  return presentScreen(row);
};

const findForChange = async (ctx: Ctx, id: number) => {
  const row = await lockScreen(ctx, id);
  if (!row) throw apiError("not_found");
  return row;
};

/** The body is read after the screen was found. */
export const changeScreen = async (ctx: Ctx, id: number, read: () => Partial<PairedSettings>): Promise<Screen> => {
  const [row, choices] = await Promise.all([findForChange(ctx, id), readChoices(ctx)]);
  const { name, branch_id, stations, language, has_sound } = { ...row, ...read() };
  const after: PairedSettings = { name, branch_id, stations, language, has_sound };
  const errors = settingErrors(after, choices, row.stations);
  if (Object.keys(errors).length > 0) throw validationError(errors);
  updateScreen(ctx, id, after);
  recordAudit(ctx, {
    action: "screen.changed",
    subject: { kind: "screen", id },
    before: { name: row.name, branch_id: row.branch_id, stations: row.stations },
    after: { name, branch_id, stations },
  });
  return presentScreen({ ...row, ...after });
};

export const endScreen = async (ctx: Ctx, id: number): Promise<void> => {
  const { name } = await findForChange(ctx, id);
  setEnded(ctx, id);
  recordAudit(ctx, { action: "screen.ended", subject: { kind: "screen", id }, before: { name } });
};

const presentScreen = (row: ScreenRow): Screen => ({
  id: row.id,
  purpose: row.purpose,
  name: row.name,
  branch_id: row.branch_id,
  stations: row.stations,
  language: row.language,
  has_sound: row.has_sound,
  ...deviceOf(row.client),
  paired_by: row.paired_by,
  paired_at: row.paired_at.toISOString(),
  seen_at: row.seen_at.toISOString(),
});

const presentState = ({ screen, pairing }: { screen?: PairedScreen; pairing?: PairingRow }): ScreenState => ({
  state: screen ? "paired" : pairing ? "pairing" : "none",
  code: pairing?.code ?? null,
  expires_at: pairing?.expires_at.toISOString() ?? null,
  screen: screen ? presentScreen(screen) : null,
  venue_name: screen?.venue_name ?? null,
});
