import type { teamOperations } from "@comanda/contract/console/team.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import type { MultiTransactionCalls, SandboxSteps, VenueCalls } from "#http/console/calls.ts";
import type { Ctx } from "#lib/context.ts";
import { findSandboxTenant } from "#venue/sandbox/service.ts";
import { endCreatedAccess } from "#venue/team/offboarding/service.ts";
import {
  acceptOwnInvitation,
  changeRole,
  checkRemoval,
  declineOwnInvitation,
  endSessionsOfMember,
  findAccessToEnd,
  inviteMember,
  leaveTeam,
  listMemberSessions,
  readTeam,
  removeFromTeam,
  requireSecondFactor,
  resendInvitation,
  withdrawOpenInvitation,
} from "./service.ts";

const done = { data: {} };

export const teamCalls: Pick<VenueCalls, Exclude<keyof typeof teamOperations, "removeMember">> = {
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
  changeRole: async (ctx, { id, body }) => ({ data: await changeRole(ctx, id, body) }),
  listMemberSessions: async (ctx, { id }) => ({ data: await listMemberSessions(ctx, id) }),
  endMemberSessions: async (ctx, { id }) => ({ data: await endSessionsOfMember(ctx, id) }),
  requireSecondFactor: async (ctx, { body }) => ({ data: await requireSecondFactor(ctx, body()) }),
};

/** If the process dies after it, the person has the former role and can be given the lower one again. */
export const roleSteps = (readSample: () => VenueFile): Pick<SandboxSteps, "changeRole"> => ({
  async changeRole({ inVenue, inTenant }, { id, body }) {
    const { ending, sandbox } = await inVenue(async (ctx) => {
      const [ending, sandbox] = await Promise.all([findAccessToEnd(ctx, id, body), findSandboxTenant(ctx, readSample())]);
      return { ending, sandbox };
    });
    if (ending && sandbox) await inTenant({ tenant: sandbox }, (ctx) => endCreatedAccess(ctx, ending.email, ending.choice));
  },
});

/** The sandbox first: if the process dies between the two, the person is still in the team and can be removed again. */
export const removalCalls = (readSample: () => VenueFile): Pick<MultiTransactionCalls, "removeMember"> => ({
  async removeMember({ inVenue, inTenant, once }, { id, body }) {
    const { email, sandbox } = await inVenue(async (ctx) => {
      const [member, sandbox] = await Promise.all([checkRemoval(ctx, id, body), findSandboxTenant(ctx, readSample())]);
      return { ...member, sandbox };
    });
    const order = body();
    if (sandbox && [order.tokens, order.screens].includes("end"))
      await inTenant({ tenant: sandbox }, (ctx) => endCreatedAccess(ctx, email, order));
    const remove = async (ctx: Ctx) => {
      await removeFromTeam(ctx, id, order);
      return done;
    };
    return inVenue((ctx) => once(ctx, () => remove(ctx)));
  },
});
