/** Ordering rules, charges, a till and a compared file, as the mock server answers them. */
import type { VenueTill } from "@comanda/contract/console/till.ts";
import type { FileComparison } from "@comanda/contract/console/venue-file.ts";
import type { SampleReceipt, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { ago, HOUR, MINUTE } from "./fixture-times.ts";

export const venueSettings: VenueSettingParts = {
  restaurant: {
    version: "r1",
    slug: "trattoria-da-nino",
    currency: "EUR",
    value: { name: { it: "Trattoria da Nino" }, default_language: "it", zone: "Europe/Rome", email: null, phone: null },
  },
  branches: {
    version: "b1",
    value: [{ id: 1, key: "main", name: { it: "Centro" }, is_default: true, address: null, hours: null, closing_days: [] }],
  },
  ordering: {
    version: "o1",
    value: {
      types: [
        { type: "dine_in", minimum_minor: 0 },
        { type: "delivery", minimum_minor: 1500, preparation_minutes: 50 },
      ],
      schedule_days_max: 14,
      delivery_fee_minor: 300,
      delivery_zones: [
        { name: "Centro storico", cities: ["Trastevere", "Testaccio"], fee_minor: 250, minimum_minor: null },
        { name: "الميناء القديم والأحياء المجاورة له", cities: ["Ostia", "Fiumicino", "Maccarese"], fee_minor: 600, minimum_minor: 3000 },
      ],
    },
  },
  charges: {
    version: "c1",
    value: {
      taxes: [
        { key: "food", name: "IVA", rate: 10, inclusive: true, is_default: true },
        { key: "city", name: "ضريبة المدينة على المشروبات المستوردة", rate: 2.875, inclusive: false, is_default: false },
      ],
      service_charge: { percent: 12.5, types: ["dine_in"], tax: "food" },
      delivery_fee_tax: null,
      promotions: [
        {
          key: "lunch",
          name: { it: "Pranzo leggero", en: "Light lunch" },
          is_active: true,
          hours: [{ days: ["mon", "tue", "wed"], from: "12:00", to: "14:30" }],
          types: ["dine_in", "pickup"],
          subtotal_min_minor: 2000,
          percent_off: 10,
          amount_off_minor: null,
        },
      ],
    },
  },
};

export const sampleReceipt: SampleReceipt = {
  subtotal_minor: 4000,
  discount_minor: 400,
  service_charge_minor: 450,
  tax_added_minor: 41,
  delivery_fee_minor: 0,
  total_minor: 4091,
  tax_breakdown: [
    { name: "IVA", rate: 10, inclusive: true, taxable_minor: 2610, tax_minor: 237 },
    { name: "ضريبة المدينة على المشروبات المستوردة", rate: 2.875, inclusive: false, taxable_minor: 1440, tax_minor: 41 },
  ],
};

const push = (id: number, changes: Partial<VenueTill["pushes"][number]>): VenueTill["pushes"][number] => ({
  id,
  order_id: `01a1d9ed-c200-7010-a20b-7b30b26c95e${id}`,
  state: "done",
  attempts: 1,
  due_at: null,
  last_status: 200,
  last_failure: null,
  last_duration_ms: 84,
  created_at: ago(id * 7 * MINUTE),
  ...changes,
});

export const venueTill: VenueTill = {
  till: { url: "https://till.example/comanda/orders", connected_by: "سامي", connected_at: ago(30 * HOUR) },
  pushes: [
    push(1, { state: "ready", attempts: 0, due_at: ago(0), last_status: null, last_duration_ms: null }),
    push(2, {}),
    push(3, {
      state: "waiting",
      attempts: 3,
      due_at: ago(-4 * MINUTE),
      last_status: 503,
      last_failure: { code: "status", values: { status: 503 } },
    }),
    push(4, { state: "failed", attempts: 12, last_status: null, last_failure: { code: "timeout", values: {} } }),
  ],
};

const { ordering, charges } = venueSettings;

export const venueFile: VenueFile = {
  format: "comanda.venue/1",
  restaurant: {
    slug: "trattoria-da-nino",
    name: { it: "Trattoria da Nino" },
    currency: "EUR",
    zone: "Europe/Rome",
    default_language: "it",
    email: null,
    phone: null,
  },
  branches: [{ key: "main", name: { it: "Centro" }, is_default: true, address: null, hours: null, closing_days: [] }],
  tables: [],
  table_combinations: [],
  modifier_groups: [],
  menus: [],
  happy_hours: [],
  ingredients: [],
  recipes: [],
  experiences: [],
  ordering: ordering.value,
  booking: {
    slot_minutes: 30,
    turn_times: [{ party_size_max: null, minutes: 90 }],
    service_periods: null,
    party_size_max: 20,
    lead_minutes: 0,
    horizon_days: 365,
    allow_overbooking: false,
    waiting_list: false,
    guarantee: null,
  },
  charges: charges.value,
  reviews: { is_on: false, wait_minutes: 60 },
  shifts: { first_weekday: "monday" },
  staff: [],
  guests: [],
};

const NONE = { count: 0, names: [] };

export const fileComparison: FileComparison = {
  version: "v1",
  areas: [
    { area: "restaurant", created: NONE, changed: { count: 2, names: ["phone", "zone"] }, removed: NONE, is_reordered: false },
    { area: "categories", created: NONE, changed: NONE, removed: NONE, is_reordered: true },
    {
      area: "items",
      created: { count: 23, names: Array.from({ length: 20 }, (_, n) => `Piatto del giorno ${n + 1}`) },
      changed: { count: 1, names: ["كسكسي باللحم"] },
      removed: { count: 2, names: ["Carbonara", "Vitello tonnato con capperi di Pantelleria"] },
      is_reordered: false,
    },
  ],
  left_out: { staff: 4, guests: 120 },
};
