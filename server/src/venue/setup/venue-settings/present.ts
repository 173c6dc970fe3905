import type { RestaurantDetails, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import { versionOf } from "./rules.ts";

export type RestaurantState = RestaurantDetails & { slug: string; currency: string };

export const detailsOf = ({ name, default_language, zone, email, phone }: RestaurantDetails): RestaurantDetails => ({
  name,
  default_language,
  zone,
  email,
  phone,
});

export const presentRestaurant = (restaurant: RestaurantState): VenueSettingParts["restaurant"] => {
  const value = detailsOf(restaurant);
  return { version: versionOf(value), slug: restaurant.slug, currency: restaurant.currency, value };
};

export const presentPart = <T>(value: T): { version: string; value: T } => ({ version: versionOf(value), value });
