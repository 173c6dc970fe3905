/** Valid writes for experiences, their sessions and tickets. Each has an experience of its own. */
import type { ChangedTickets } from "@comanda/contract/console/experiences.ts";
import { soldCard } from "./console-writes-money.ts";
import type { Scenarios, WritesWorld } from "./console-writes-world.ts";

const held = async ({ experiences }: WritesWorld): Promise<ChangedTickets> => experiences.held((await experiences.session(8)).id, 2);
const paid = async (world: WritesWorld): Promise<ChangedTickets> => world.experiences.paid(await held(world));
const HOLD_MS = 5 * 60 * 1000;
const seen = ({ version }: { version: number }) => ({ seen_version: version });

type ExperienceCalls =
  | "addExperience"
  | "saveExperience"
  | "removeExperience"
  | "addExperienceSessions"
  | "changeExperienceSession"
  | "cancelExperienceSession"
  | "bookTickets"
  | "holdTicketsAgain"
  | "releaseTickets"
  | "payTickets"
  | "payTicketsWithGiftCard"
  | "refundTickets"
  | "setArrivedGuests";

export const experienceScenarios: Scenarios<ExperienceCalls> = {
  addExperience: async ({ experiences }) => ({ body: { experience: experiences.value } }),
  saveExperience: async ({ experiences }) => {
    const { id, version, value } = await experiences.add();
    return { params: { id }, body: { seen_version: version, experience: { ...value, price_minor: 5000 } } };
  },
  removeExperience: async ({ experiences }) => {
    const { id, version } = await experiences.add();
    await experiences.plan(id);
    return { params: { id }, body: { seen_version: version } };
  },
  addExperienceSessions: async ({ experiences, day }) => ({
    params: { id: (await experiences.add()).id },
    body: { date: day(), time: "19:00", capacity: 8, weeks: 2 },
  }),
  changeExperienceSession: async ({ experiences }) => {
    const session = await experiences.session(8);
    return { params: { id: session.id }, body: { ...seen(session), capacity: 12 } };
  },
  cancelExperienceSession: async ({ experiences }) => {
    const session = await experiences.session(8);
    await experiences.held(session.id, 2);
    return { params: { id: session.id }, body: { ...seen(session), reason: "the chef is ill" } };
  },
  bookTickets: async ({ experiences, phone }) => ({
    params: { id: (await experiences.session(8)).id },
    body: { tickets: 2, name: "Ada", phone: phone(), email: null },
  }),
  holdTicketsAgain: async (world) => {
    const { app, experiences } = world;
    const session = await experiences.session(8);
    const { id } = await experiences.held(session.id, 2);
    app.clock.advance(HOLD_MS);
    // The next sale ends the holds that have run out.
    await experiences.held(session.id, 2);
    const ended = (await experiences.sheet(session.id)).ended.find((tickets) => tickets.id === id);
    return { params: { id }, body: seen(ended ?? { version: 0 }) };
  },
  releaseTickets: async (world) => {
    const tickets = await held(world);
    return { params: { id: tickets.id }, body: seen(tickets) };
  },
  payTickets: async (world) => {
    const tickets = await held(world);
    return { params: { id: tickets.id }, body: { ...seen(tickets), method: "cash" } };
  },
  payTicketsWithGiftCard: async (world) => {
    const tickets = await held(world);
    const { code } = await soldCard(world);
    return { params: { id: tickets.id }, body: { ...seen(tickets), code } };
  },
  refundTickets: async (world) => {
    const tickets = await paid(world);
    return { params: { id: tickets.id }, body: { ...seen(tickets), reason: "the guest is ill" } };
  },
  setArrivedGuests: async (world) => {
    const tickets = await paid(world);
    return { params: { id: tickets.id }, body: { ...seen(tickets), arrived: 1 } };
  },
};
