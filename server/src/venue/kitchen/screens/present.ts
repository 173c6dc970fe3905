import type { Screen, ScreenState } from "@comanda/contract/console/screens.ts";
import type { PairedScreen } from "#lib/principal.ts";
import { deviceOf } from "#lib/user-agent.ts";
import type { PairingRow } from "./store/pairings.ts";
import type { ScreenRow } from "./store/screens.ts";

export const presentScreen = (row: ScreenRow): Screen => ({
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

export const presentState = ({ screen, pairing }: { screen?: PairedScreen; pairing?: PairingRow }): ScreenState => ({
  state: screen ? "paired" : pairing ? "pairing" : "none",
  code: pairing?.code ?? null,
  expires_at: pairing?.expires_at.toISOString() ?? null,
  screen: screen ? presentScreen(screen) : null,
  venue_name: screen?.venue_name ?? null,
});
