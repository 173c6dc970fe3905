/** Codes of a pairing, and what a screen may be set to. */
import type { MissingParts } from "@comanda/contract/console/kitchen.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { FieldErrors } from "#lib/errors.ts";

export const PAIRING_MS = 10 * 60_000;
/** Devices that wait for their code at once, over all venues of a cell: a mistyped code hits another device rarely. */
export const PAIRINGS_MAX = 2000;
export const SCREENS_MAX = 50;
/** A screen that works is recorded this often at most. */
export const TOUCH_EVERY_MS = 60_000;

const CODES = 1_000_000;

/** The random number is below a million. */
export const formatCode = (random: number): string => String(random % CODES).padStart(6, "0");

type ScreenChoices = { branches: readonly { id: number; name: Translations }[]; stations: readonly string[] };
type Chosen = { branch_id: number | null; stations: readonly string[] };

/** What a screen is set to and the venue no longer has. */
export const missingParts = (chosen: Chosen, { branches, stations }: ScreenChoices): MissingParts => ({
  stations: chosen.stations.filter((station) => !stations.includes(station)),
  is_branch_missing: chosen.branch_id !== null && !branches.some(({ id }) => id === chosen.branch_id),
});

/** A station that left the menu since may stay on a screen that has it. */
export const settingErrors = (chosen: Chosen, { branches, stations }: ScreenChoices, known: readonly string[] = []): FieldErrors => ({
  ...(chosen.branch_id === null || branches.some(({ id }) => id === chosen.branch_id) ? {} : { branch_id: ["There is no such branch."] }),
  ...(chosen.stations.every((station) => stations.includes(station) || known.includes(station))
    ? {}
    : { stations: ["There is no such station."] }),
});
