/** A moment on the command line. `30m` is counted from the present time of the restaurant, whose events are dated by it. */
import { CommandError, EXIT } from "./errors.ts";
import { openService } from "./service.ts";
import type { Login } from "./stored-login.ts";

export type Moment = { beforeNowMs: number } | { atMs: number };

const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const ISO = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Without it the 31st of February is the third of March. */
const isDay = (date: string): boolean => {
  const ms = Date.parse(date);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
};

export const readMoment = (text: string): Moment => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return { beforeNowMs: Number(count) * (UNIT_MS[unit] ?? 0) };
  const [, date = ""] = ISO.exec(text) ?? [];
  const atMs = isDay(date) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return { atMs };
  throw new CommandError(
    EXIT.usage,
    `"${text}" is no moment. Write how long ago it was: 90s, 30m, 2h or 3d; or a date, which begins at midnight UTC: 2026-11-18; or a date with time and offset: 2026-11-18T09:00:00Z.`,
  );
};

/** A sandbox's clock may be ahead. Otherwise the service's clock counts: that of this machine may be wrong. */
const readVenueNow = async (login: Login): Promise<number> => {
  let served: string | null = null;
  const service = openService(login, async (...call) => {
    const response = await fetch(...call);
    served = response.headers.get("date");
    return response;
  });
  const { token } = (await service.restaurant.get()).data;
  if (token.kind === "sandbox") return Date.parse((await service.sandbox.moveClock({})).data.now);
  return served === null ? Date.now() : Date.parse(served);
};

export const momentMs = async (moment: Moment, login: Login): Promise<number> =>
  "atMs" in moment ? moment.atMs : (await readVenueNow(login)) - moment.beforeNowMs;
