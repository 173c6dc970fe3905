/** A person leaves a venue: what they made that still gives access is shown, and ended unless the venue keeps it. */
import type { Ctx } from "#lib/context.ts";
import type { Person } from "#lib/maker.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { removeEndpoint } from "#platform/deliveries/service.ts";
import { listAppsBy, uninstallApp } from "#platform/installations/service.ts";
import { findByEmail, holdAccess, leaveVenue } from "#platform/people/service.ts";
import { listStaff, removeStaff } from "#platform/staff/service.ts";
import { listTokensBy, revokeToken } from "#platform/tokens/service.ts";
import { listEndpointsBy } from "#platform/webhooks/service.ts";

export type Access = {
  tokens: Awaited<ReturnType<typeof listTokensBy>>;
  apps: Awaited<ReturnType<typeof listAppsBy>>;
  webhooks: Awaited<ReturnType<typeof listEndpointsBy>>;
};

const personOf = async (ctx: Ctx, email: string): Promise<Person> => ({ id: (await findByEmail(ctx, email))?.id ?? null, email });

/** Tokens and webhook addresses that this person made, and apps that this person let in or made, as far as they work. */
export const readAccessOf = async (ctx: Ctx, email: string): Promise<Access> => {
  const person = await personOf(ctx, email);
  const [tokens, apps, webhooks] = await Promise.all([listTokensBy(ctx, person), listAppsBy(ctx, person), listEndpointsBy(ctx, person)]);
  return { tokens, apps, webhooks };
};

export const countAccess = ({ tokens, apps, webhooks }: Access): number => tokens.length + apps.length + webhooks.length;

/** What was ended. A token's next request is refused, and nothing more is sent to an address. */
export const endAccessOf = async (ctx: Ctx, email: string): Promise<Access> => {
  const access = await readAccessOf(ctx, email);
  for (const { id } of access.tokens) await revokeToken(ctx, id);
  for (const { id } of access.apps) await uninstallApp(ctx, id);
  for (const { id } of access.webhooks) await removeEndpoint(ctx, id);
  return access;
};

/** What happens to it: it ends, or the venue keeps it. Null: nobody has decided. */
export type Decision = "end" | "keep" | null;

/** `undecided`: there is something to decide about, and nothing was changed. */
export type Removal = { outcome: "removed" | "undecided" | "unknown"; access: Access };

/** Takes a person out of the venue, with invitations, and with sessions when there is no other venue for them. In a revoking transaction. */
export const removePerson = async (ctx: Ctx, email: string, decision: Decision): Promise<Removal> => {
  holdAccess(ctx, email);
  const access = await readAccessOf(ctx, email);
  if (!(await listStaff(ctx)).some((one) => one.email === email)) return { outcome: "unknown", access };
  if (decision === null && countAccess(access) > 0) return { outcome: "undecided", access };
  if (decision === "end") await endAccessOf(ctx, email);
  await removeStaff(ctx, email);
  await leaveVenue(ctx, email);
  if (decision === "keep" && countAccess(access) > 0) recordKept(ctx, email, access);
  return { outcome: "removed", access };
};

const recordKept = (ctx: Ctx, email: string, { tokens, apps, webhooks }: Access): void =>
  recordAudit(ctx, {
    action: "staff.access_kept",
    subject: { kind: "staff", id: email },
    after: {
      tokens: tokens.map(({ id }) => id),
      apps: apps.map(({ client_id }) => client_id),
      webhooks: webhooks.map(({ id }) => id),
    },
  });
