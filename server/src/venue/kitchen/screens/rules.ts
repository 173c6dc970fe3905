/** How long codes of a pairing are kept and how many, and what a screen may be set to. */
import type { MissingParts } from "@comanda/contract/console/kitchen.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { FieldErrors } from "#lib/errors.ts";

export const PAIRING_MS = 10 * 60_000;
/** The page of a device asks every two seconds. A code about which no device asks is dropped. */
export const POLL_MS_MAX = 60_000;
/** The time of the last poll is recorded this often at most. */
export const NOTE_POLL_EVERY_MS = 15_000;
/** Devices of one IPv4 /24 or IPv6 /48 that wait at once. */
export const WAITING_OF_NETWORK_MAX = 30;
/** Devices of a cell that wait at once. With more than that a code of the network with the most codes ends for each new one. */
export const WAITING_MAX = 2000;
export const SCREENS_MAX = 50;
/** A screen that works is recorded this often at most. */
export const TOUCH_EVERY_MS = 60_000;

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
