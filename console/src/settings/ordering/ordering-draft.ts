/** Changes of the ordering rules that the form makes. */
import { minor } from "@comanda/contract/minor.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import type { OrderingRules } from "@comanda/contract/venue-file/ordering-rules.ts";

export type OfferedType = OrderingRules["types"][number];
export type DeliveryZone = OrderingRules["delivery_zones"][number];

/** A type that is offered again begins without a minimum and with the usual time. */
export const offerType = (types: readonly OfferedType[], type: OrderType, isOffered: boolean): OfferedType[] =>
  isOffered ? [...types, { type, minimum_minor: minor(0) }] : types.filter((offered) => offered.type !== type);

export const changeType = (types: readonly OfferedType[], type: OrderType, part: Partial<OfferedType>): OfferedType[] =>
  types.map((offered) => (offered.type === type ? { ...offered, ...part } : offered));

/** Without a time of its own a type has the usual one, and the member is missing. */
export const setMinutes = (types: readonly OfferedType[], type: OrderType, minutes: number | null): OfferedType[] =>
  types.map((offered) => {
    if (offered.type !== type) return offered;
    const { preparation_minutes: _, ...rest } = offered;
    return minutes === null ? rest : { ...rest, preparation_minutes: minutes };
  });

/** One on each line; commas separate too, as in a pasted list. */
export const readPlaces = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;]/)
      .map((place) => place.trim())
      .filter((place) => place !== ""),
  ),
];

/** The server would refuse a zone without a name or a place. */
export const hasZoneGaps = ({ delivery_zones }: OrderingRules): boolean =>
  delivery_zones.some(({ name, cities }) => name.trim() === "" || cities.length === 0);
