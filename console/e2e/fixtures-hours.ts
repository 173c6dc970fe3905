/** Fixtures: the settings of a venue with two branches. */
import type { VenueBranch, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import { ago, DAY } from "./fixture-times.ts";

const dateAt = (days: number): string => ago(-days * DAY).slice(0, 10);

const oldTown: VenueBranch = {
  id: 1,
  key: "old-town",
  name: { en: "Old town", ar: "البلدة القديمة" },
  is_default: true,
  address: "12 Via dei Fornai\n00153 Roma",
  hours: [
    { days: ["tue", "wed", "thu", "fri"], from: "12:00", to: "15:00" },
    { days: ["tue", "wed", "thu"], from: "18:30", to: "23:00" },
    { days: ["fri", "sat"], from: "18:30", to: "02:00" },
    { days: ["sat", "sun"], from: "10:15", to: "16:00" },
  ],
  closing_days: [
    { date: dateAt(-40), reason: null },
    { date: dateAt(12), reason: "عيد الفطر" },
    { date: dateAt(38), reason: "The street festival: the whole quarter is closed to cars from early in the morning until late at night" },
    { date: dateAt(39), reason: null },
  ],
};

export const harbour: VenueBranch = {
  id: 2,
  key: "harbour",
  name: { en: "Harbour" },
  is_default: false,
  address: null,
  hours: null,
  closing_days: [],
};

export const venueSettings: VenueSettingParts = {
  restaurant: {
    version: "v1",
    slug: "trattoria-da-nino",
    currency: "EUR",
    value: {
      name: { en: "Trattoria da Nino", ar: "تراتوريا دا نينو" },
      default_language: "it",
      zone: "Europe/Rome",
      email: "ciao@trattoria.example",
      phone: "+39 06 5550100",
    },
  },
  branches: { version: "v1", value: [oldTown, harbour] },
  ordering: { version: "v1", value: { types: [], schedule_days_max: 30, delivery_fee_minor: 0, delivery_zones: [] } },
  charges: { version: "v1", value: { taxes: [], service_charge: null, delivery_fee_tax: null, promotions: [] } },
};

/** The venue's settings with other branches. */
export const withBranches = (value: VenueBranch[]): VenueSettingParts => ({ ...venueSettings, branches: { version: "v2", value } });

export const closedTomorrow = (bookings: number) => ({
  branches: { version: "v3", value: [{ ...oldTown, closing_days: [{ date: dateAt(1), reason: null }, ...oldTown.closing_days] }, harbour] },
  bookings,
});

export const alwaysClosed: VenueBranch = { ...oldTown, hours: [], closing_days: [] };
