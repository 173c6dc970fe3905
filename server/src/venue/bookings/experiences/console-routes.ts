import type { experienceOperations } from "@comanda/contract/console/experiences.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { addExperience, readExperienceDetails, removeSeenExperience, saveSeenExperience } from "./service/experiences.ts";
import { paySeenTickets, paySeenTicketsWithCard, refundSeenTickets, setArrivedGuests } from "./service/sales.ts";
import { addSessions, cancelSeenSession, changeSeenSession, readDesk, readSheet } from "./service/sessions.ts";
import { bookTickets, holdSeenAgain, releaseSeenTickets } from "./service/tickets.ts";

export const experienceCalls: Pick<VenueCalls, keyof typeof experienceOperations> = {
  readExperiences: async (ctx, { query }) => ({ data: await readDesk(ctx, query().from) }),
  readExperience: async (ctx, { id }) => ({ data: await readExperienceDetails(ctx, id) }),
  addExperience: async (ctx, { body }) => ({ data: await addExperience(ctx, body().experience) }),
  saveExperience: async (ctx, { id, body }) => ({ data: await saveSeenExperience(ctx, id, body) }),
  removeExperience: async (ctx, { id, body }) => {
    await removeSeenExperience(ctx, id, body);
    return { data: {} };
  },
  addExperienceSessions: async (ctx, { id, body }) => ({ data: await addSessions(ctx, id, body) }),
  readExperienceSession: async (ctx, { id }) => ({ data: await readSheet(ctx, id) }),
  changeExperienceSession: async (ctx, { id, body }) => ({ data: await changeSeenSession(ctx, id, body) }),
  cancelExperienceSession: async (ctx, { id, body }) => ({ data: await cancelSeenSession(ctx, id, body) }),
  bookTickets: async (ctx, { id, body }) => ({ data: await bookTickets(ctx, id, body) }),
  holdTicketsAgain: async (ctx, { id, body }) => ({ data: await holdSeenAgain(ctx, id, body) }),
  releaseTickets: async (ctx, { id, body }) => ({ data: await releaseSeenTickets(ctx, id, body) }),
  payTickets: async (ctx, { id, body }) => ({ data: await paySeenTickets(ctx, id, body) }),
  payTicketsWithGiftCard: async (ctx, { id, body }) => ({ data: await paySeenTicketsWithCard(ctx, id, body) }),
  refundTickets: async (ctx, { id, body }) => ({ data: await refundSeenTickets(ctx, id, body) }),
  setArrivedGuests: async (ctx, { id, body }) => ({ data: await setArrivedGuests(ctx, id, body) }),
};
