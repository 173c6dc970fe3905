/** Fixtures: experiences with sessions of every state, and one session with held, paid and ended tickets. */
import type {
  ExperienceDesk,
  ExperienceDetails,
  ExperienceSession,
  SessionBooking,
  SessionSheet,
} from "@comanda/contract/console/experiences.ts";
import { ago, DAY, HOUR, MINUTE } from "./fixture-times.ts";

const session: ExperienceSession = {
  id: 7169,
  version: 1,
  experience_id: 5121,
  starts_at: ago(-9 * DAY),
  capacity: 12,
  sold: 6,
  held: 3,
  is_cancelled: false,
};

const pasta = { it: "Serata della pasta fresca", en: "Fresh pasta evening", ar: "أمسية المعكرونة الطازجة" };

export const experienceDesk: ExperienceDesk = {
  experiences: [
    { id: 5121, version: 1, name: pasta, price_minor: 6500, branch: "trastevere", is_active: true, is_removed: false },
    {
      id: 6145,
      version: 3,
      name: { en: "A long evening at the chef's table with nine courses and the wines that go with them", ar: "طاولة الطاهي" },
      price_minor: 0,
      branch: "testaccio",
      is_active: false,
      is_removed: false,
    },
  ],
  sessions: [
    { ...session, id: 6146, starts_at: ago(5 * DAY), sold: 2, held: 0, is_cancelled: true },
    session,
    { ...session, id: 8193, starts_at: ago(-16 * DAY), sold: 12, held: 0 },
    { ...session, id: 9217, starts_at: ago(-23 * DAY), sold: 0, held: 0, is_cancelled: true },
  ],
  is_cut: true,
  from: ago(0).slice(0, 10),
  today: ago(0).slice(0, 10),
  branches: [
    { key: "trastevere", name: { it: "Trastevere", en: "Trastevere", ar: "تراستيفيري" } },
    { key: "testaccio", name: { it: "Testaccio", en: "Testaccio", ar: "تستاتشو" } },
  ],
  currency: "EUR",
  default_language: "it",
  zone: "Europe/Rome",
};

export const experienceDetails: ExperienceDetails = {
  id: 5121,
  version: 1,
  value: {
    name: pasta,
    description: { it: "Si impasta insieme.", en: "We make the dough together.", ar: null },
    price_minor: 6500,
    branch: "trastevere",
    is_active: true,
  },
};

const paid: SessionBooking = {
  id: 3073,
  version: 2,
  state: "paid",
  tickets: 4,
  arrived: 1,
  amount_minor: 26_000,
  refundable_minor: 20_000,
  name: "Marco Ferri",
  phone: "+39 06 0555 0177",
  email: null,
  guest_id: 2049,
  hold_ends_at: ago(DAY),
  paid_at: ago(DAY),
  method: "card_terminal",
  sold_by: "Nina Ferrari",
};

const held: SessionBooking = {
  ...paid,
  id: 4097,
  version: 1,
  state: "held",
  tickets: 3,
  arrived: 0,
  amount_minor: 19_500,
  refundable_minor: 0,
  name: "ليلى حداد",
  // The tests take longer than a hold of five minutes: this one ends after them.
  hold_ends_at: ago(-HOUR),
  paid_at: null,
  method: null,
};

export const sessionSheet: SessionSheet = {
  session,
  experience: { id: 5121, name: pasta, description: experienceDetails.value.description, price_minor: 6500, is_active: true },
  branch: { it: "Trastevere", en: "Trastevere", ar: "تراستيفيري" },
  bookings: [
    held,
    { ...held, id: 4098, name: "Run Out", hold_ends_at: ago(MINUTE) },
    paid,
    { ...paid, id: 3074, name: "Bartholomew Featherstonehaugh-Cholmondeley", phone: null, tickets: 2, arrived: 2 },
    { ...paid, id: 3075, name: "Ada", tickets: 1, arrived: 0, amount_minor: 0, refundable_minor: 0, method: null },
  ],
  ended: [
    { ...held, id: 4099, name: "Ben", state: "expired", hold_ends_at: ago(HOUR) },
    { ...paid, id: 3076, name: "Zoe", state: "cancelled", refundable_minor: 0 },
    { ...paid, id: 3077, name: "Noor", state: "cancelled", amount_minor: 0, refundable_minor: 0, method: null },
  ],
  closed_because: null,
  currency: "EUR",
  default_language: "it",
  zone: "Europe/Rome",
};
