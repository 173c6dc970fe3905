/** Removes a member from a venue, with the shifts to come. Tokens, apps, webhook addresses, the till and screens that the member set up are listed, and end unless the venue keeps them. */
import type { Ctx } from "#lib/context.ts";
import type { AccountRef } from "#lib/creator.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { removeEndpoint } from "#platform/events/webhook-deliveries/service/endpoints.ts";
import { listEndpointsMadeBy } from "#platform/events/webhooks/service/endpoints.ts";
import { listTeam, removeStaff } from "#platform/people/memberships/service.ts";
import { findUser, lockUserAccess } from "#platform/people/users/store.ts";
import { listInstallationsOfUser, uninstallApp } from "#platform/programs/installations/service.ts";
import { listTokensOfUser, revokeToken } from "#platform/programs/tokens/service.ts";
import { endSessionsWithoutMembership, takeSessionsOut } from "#platform/sign-in/accounts/service.ts";
import { disconnectPos, listTillsOf } from "#venue/kitchen/pos/service.ts";
import { endScreen, listScreensPairedBy } from "#venue/kitchen/screens/service.ts";
import { removeShiftsOf } from "#venue/shifts/service/team.ts";

export type CreatedAccess = {
  tokens: Awaited<ReturnType<typeof listTokensOfUser>>;
  apps: Awaited<ReturnType<typeof listInstallationsOfUser>>;
  webhooks: Awaited<ReturnType<typeof listEndpointsMadeBy>>;
  tills: Awaited<ReturnType<typeof listTillsOf>>;
  screens: Awaited<ReturnType<typeof listScreensPairedBy>>;
};

const accountRefOf = async (ctx: Ctx, email: string): Promise<AccountRef> => ({ id: (await findUser(ctx, email))?.id ?? null, email });

/**
 * Active tokens and webhook addresses that the member created, installed apps that the member allowed or registered, the till that the
 * member connected, and screens that the member paired.
 */
export const readCreatedAccess = async (ctx: Ctx, email: string): Promise<CreatedAccess> => {
  const user = await accountRefOf(ctx, email);
  const [tokens, apps, webhooks, tills, screens] = await Promise.all([
    listTokensOfUser(ctx, user),
    listInstallationsOfUser(ctx, user),
    listEndpointsMadeBy(ctx, user),
    listTillsOf(ctx, user),
    listScreensPairedBy(ctx, user),
  ]);
  return { tokens, apps, webhooks, tills, screens };
};

export const countAccess = ({ tokens, apps, webhooks, tills, screens }: CreatedAccess): number =>
  tokens.length + apps.length + webhooks.length + tills.length + screens.length;

/** `tokens`: apps, webhook addresses and the till too, because data leaves the venue by them. */
export type AccessChoice = { tokens: "end" | "keep"; screens: "end" | "keep" };

export const NO_ACCESS: CreatedAccess = { tokens: [], apps: [], webhooks: [], tills: [], screens: [] };

/** The part of the access for which this was chosen. */
const chosenPart = ({ screens, ...others }: CreatedAccess, choice: AccessChoice, wanted: "end" | "keep"): CreatedAccess => ({
  ...NO_ACCESS,
  ...(choice.tokens === wanted ? others : {}),
  ...(choice.screens === wanted ? { screens } : {}),
});

/** A token or screen is rejected from its next request on, and nothing more is sent to an address. */
export const endCreatedAccess = async (ctx: Ctx, email: string, choice: AccessChoice): Promise<void> => {
  const { tokens, apps, webhooks, tills, screens } = chosenPart(await readCreatedAccess(ctx, email), choice, "end");
  for (const { id } of tokens) await revokeToken(ctx, id);
  for (const { id } of apps) await uninstallApp(ctx, id);
  for (const { id } of webhooks) await removeEndpoint(ctx, id);
  if (tills.length > 0) await disconnectPos(ctx);
  for (const { id } of screens) await endScreen(ctx, id);
};

/** A member stays with fewer rights. Access that is kept is recorded. It runs in a transaction that holds the venue's lock exclusively. */
export const decideAccess = async (ctx: Ctx, email: string, choice: AccessChoice): Promise<void> => {
  const access = await readCreatedAccess(ctx, email);
  await endCreatedAccess(ctx, email, choice);
  const kept = chosenPart(access, choice, "keep");
  if (countAccess(kept) > 0) recordAccessKept(ctx, email, kept);
};

/** Null: no decision was made. */
export type AccessDecision = AccessChoice | null;

/** `undecided`: the member created access, no decision was given, and nothing was changed. */
export type MemberRemoval = { outcome: "removed" | "undecided" | "unknown"; access: CreatedAccess };

/**
 * Ends invitations too. A user without another venue is signed out, but not one who left by their own will, or never was a member. It runs
 * in a transaction that holds the venue's lock exclusively.
 */
export const removeMember = async (
  ctx: Ctx,
  email: string,
  decision: AccessDecision,
  how: "removed" | "left" = "removed",
): Promise<MemberRemoval> => {
  lockUserAccess(ctx, email);
  const access = await readCreatedAccess(ctx, email);
  const member = (await listTeam(ctx)).find((one) => one.email === email);
  if (!member) return { outcome: "unknown", access };
  if (decision === null && countAccess(access) > 0) return { outcome: "undecided", access };
  await removeShiftsOf(ctx, member);
  if (decision) await endCreatedAccess(ctx, email, decision);
  await removeStaff(ctx, email, how);
  if (how === "left") await takeSessionsOut(ctx, email);
  else if (member.accepted_at !== null) await endSessionsWithoutMembership(ctx, email);
  const kept = decision ? chosenPart(access, decision, "keep") : NO_ACCESS;
  if (countAccess(kept) > 0) recordAccessKept(ctx, email, kept);
  return { outcome: "removed", access };
};

const recordAccessKept = (ctx: Ctx, email: string, { tokens, apps, webhooks, tills, screens }: CreatedAccess): void =>
  recordAudit(ctx, {
    action: "staff.access_kept",
    subject: { kind: "staff", id: email },
    after: {
      tokens: tokens.map(({ id }) => id),
      apps: apps.map(({ client_id }) => client_id),
      webhooks: webhooks.map(({ id }) => id),
      tills: tills.map(({ id }) => id),
      screens: screens.map(({ id }) => id),
    },
  });
