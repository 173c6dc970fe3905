/** Fixtures: the screens of a venue with two kitchens, and a device that pairs. */
import type { Screen, ScreenState, Screens } from "@comanda/contract/console/screens.ts";
import { ago, DAY, HOUR, MINUTE } from "./fixture-times.ts";

export const kitchenScreen: Screen = {
  id: 301,
  purpose: "kitchen",
  name: "Kitchen",
  branch_id: null,
  stations: [],
  language: "en",
  has_sound: true,
  browser: "Chrome 141",
  system: "Android",
  paired_by: "Nina Ferrari",
  paired_at: ago(40 * DAY),
  seen_at: ago(0.5 * MINUTE),
};

export const screens: Screens = {
  screens: [
    kitchenScreen,
    {
      ...kitchenScreen,
      id: 302,
      name: "فرن البيتزا",
      branch_id: 11,
      stations: ["Pizza oven", "Grill"],
      language: "ar",
      browser: "Safari 19",
      system: "iPadOS",
      paired_by: "سامي",
      paired_at: ago(3 * DAY),
      seen_at: ago(7 * MINUTE),
    },
    {
      ...kitchenScreen,
      id: 303,
      name: "The old tablet behind the bar that has been missing since the move",
      branch_id: 12,
      stations: ["Cold kitchen", "Desserts", "Bar", "Grill", "Bread and everything from the small oven"],
      has_sound: false,
      browser: null,
      system: null,
      paired_at: ago(400 * DAY),
      seen_at: ago(19 * HOUR),
    },
  ],
  branches: [
    { id: 11, name: { en: "Harbour", ar: "الميناء" } },
    { id: 12, name: { en: "Old town", ar: "البلدة القديمة" } },
  ],
  stations: ["Grill", "Pizza oven", "Cold kitchen", "Desserts", "Bar"],
};

export const unpaired: ScreenState = { state: "none", code: null, expires_at: null, screen: null, venue_name: null };

/** Its last character is the check character. */
export const PAIRING_CODE = "7K4D92Q7";
export const NEXT_PAIRING_CODE = "M3X8H054";

export const pairingState = (code = PAIRING_CODE, leftMs = 9.7 * MINUTE): ScreenState => ({
  ...unpaired,
  state: "pairing",
  code,
  expires_at: ago(-leftMs),
});

export const pairedState: ScreenState = { ...unpaired, state: "paired", screen: kitchenScreen, venue_name: { en: "Trattoria da Nino" } };
