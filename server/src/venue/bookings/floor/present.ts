import type { BookingRuleSet, VenueFloor } from "@comanda/contract/console/floor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import { floorOf, type StoredFloor, versionOf } from "./rules.ts";

export const presentFloor = (branches: readonly { id: number; name: Translations }[], floor: StoredFloor): VenueFloor => ({
  branches: branches.map(({ id, name }) => ({ id, name, version: versionOf(floorOf(floor, id)) })),
  tables: [...floor.tables],
  combinations: [...floor.combinations],
});

export const presentRules = ({ currency, zone }: { currency: string; zone: string }, rules: BookingRules): BookingRuleSet => ({
  version: versionOf(rules),
  currency,
  zone,
  rules,
});
