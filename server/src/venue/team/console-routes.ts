import type { teamOperations } from "@comanda/contract/console/team.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { MultiTransactionCalls, VenueCalls, VenueTransactions } from "#http/console/calls.ts";
import type { Ctx, Tenant } from "#lib/context.ts";
import { findSandboxTenant } from "#venue/sandbox/service.ts";
import { endCreatedAccess } from "#venue/team/offboarding/service.ts";
import {
  type AccessToEnd,
  acceptOwnInvitation,
  changeRole,
  checkRemoval,
  declineOwnInvitation,
  endSessionsOfMember,
  findAccessToEnd,
  inviteMember,
  isStillMember,
  leaveTeam,
  listMemberSessions,
  readTeam,
  removeFromTeam,
  requireSecondFactor,
  resendInvitation,
  withdrawOpenInvitation,
} from "./service.ts";

const done = { data: {} };

export const teamCalls: Pick<VenueCalls, Exclude<keyof typeof teamOperations, MemberCallId>> = {
  listTeam: async (ctx) => ({ data: await readTeam(ctx) }),
  inviteMember: async (ctx, { body }) => ({ data: await inviteMember(ctx, body()) }),
  resendInvitation: async (ctx, { id }) => {
    await resendInvitation(ctx, id);
    return done;
  },
  withdrawInvitation: async (ctx, { id }) => {
    await withdrawOpenInvitation(ctx, id);
    return done;
  },
  acceptInvitation: async (ctx, { body }) => {
    await acceptOwnInvitation(ctx, body().seen_role);
    return done;
  },
  declineInvitation: async (ctx) => {
    await declineOwnInvitation(ctx);
    return done;
  },
  leaveVenue: async (ctx) => {
    await leaveTeam(ctx);
    return done;
  },
  listMemberSessions: async (ctx, { id }) => ({ data: await listMemberSessions(ctx, id) }),
  endMemberSessions: async (ctx, { id }) => ({ data: await endSessionsOfMember(ctx, id) }),
  requireSecondFactor: async (ctx, { body }) => ({ data: await requireSecondFactor(ctx, body()) }),
};

/**
 * Runs in a transaction of the sandbox that holds the venue's lock too. Nothing is ended for a call that has its answer, nor after the
 * member was removed or got another role: since then the person may have come back.
 */
const endInSandbox = async (
  { inTenant, isAnswered }: VenueTransactions,
  tenant: Tenant,
  { member, choice }: AccessToEnd,
): Promise<void> => {
  if (choice.tokens === "end" || choice.screens === "end")
    await inTenant({ tenant }, async (ctx) => {
      const [wasAnswered, isStill] = await Promise.all([isAnswered(ctx), isStillMember(ctx, member)]);
      if (isStill && !wasAnswered) await endCreatedAccess(ctx, member.email, choice);
    });
};

type MemberCallId = "changeRole" | "removeMember";

/**
 * The sandbox first: if the process dies between the two, the person is in the team with the former role, and can be given the lower one or
 * removed again.
 */
export const memberCalls = (readSample: () => VenueFile): Pick<MultiTransactionCalls, MemberCallId> => {
  const endAccess = async (venues: VenueTransactions, find: (ctx: Ctx) => Promise<AccessToEnd | null>): Promise<void> => {
    const [ending, sandbox] = await venues.inVenue((ctx) => Promise.all([find(ctx), findSandboxTenant(ctx, readSample())]));
    if (ending && sandbox) await endInSandbox(venues, sandbox, ending);
  };
  return {
    async changeRole(venues, { id, body }) {
      await endAccess(venues, (ctx) => findAccessToEnd(ctx, id, body));
      return venues.inVenue((ctx) => venues.once(ctx, async () => ({ data: await changeRole(ctx, id, body()) })));
    },
    async removeMember(venues, { id, body }) {
      await endAccess(venues, (ctx) => checkRemoval(ctx, id, body));
      const remove = async (ctx: Ctx) => {
        await removeFromTeam(ctx, id, body());
        return done;
      };
      return venues.inVenue((ctx) => venues.once(ctx, () => remove(ctx)));
    },
  };
};
