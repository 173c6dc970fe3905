/** Console calls for the apps that a developer has registered. */
import { GRACE_PERIOD_MS } from "@comanda/contract/console/operation.ts";
import type { SessionCalls } from "#http/console/calls.ts";
import type { GlobalContext } from "#lib/context.ts";
import { cardOf, changeApp, listOwnApps, registerApp, rollSecret, withdrawApp } from "./service.ts";

const REGISTRATIONS_PER_MINUTE = 60;

const done = { data: {} };

type AppCallIds = "listOwnApps" | "registerApp" | "changeApp" | "rollAppSecret" | "withdrawApp";

export const appCalls: Pick<SessionCalls, AppCallIds> = {
  async listOwnApps(caller) {
    const rows = await caller.inGlobalTransaction((ctx) => listOwnApps(ctx, caller.session.id));
    const data = rows.map((row) => ({
      id: row.id,
      ...cardOf(row),
      install_url: row.install_url,
      redirect_uris: row.redirect_uris,
      scopes: row.scopes,
      secrets: row.secrets.map(({ hint, created_at, expires_at }) => ({
        hint,
        created_at: created_at.toISOString(),
        expires_at: expires_at?.toISOString() ?? null,
      })),
      installations: row.installations,
      created_at: row.created_at.toISOString(),
    }));
    return { data };
  },
  async registerApp(caller, { body }) {
    const form = body();
    await caller.countIn({ key: `register-app:person:${caller.session.id}`, limit: REGISTRATIONS_PER_MINUTE, windowSeconds: 60 });
    return caller.inGlobalTransaction((ctx) => caller.once(ctx, async () => ({ data: await registerApp(ctx, caller.session.id, form) })));
  },
  async changeApp(caller, { id, body }) {
    const form = body();
    const change = async (ctx: GlobalContext) => {
      await changeApp(ctx, caller.session.id, id, form);
      return done;
    };
    return caller.inGlobalTransaction((ctx) => caller.once(ctx, () => change(ctx)));
  },
  async rollAppSecret(caller, { id, body }) {
    const { overlap } = body();
    const wanted = { id, userId: caller.session.id, overlapMs: GRACE_PERIOD_MS[overlap] };
    return caller.inGlobalTransaction((ctx) => caller.once(ctx, async () => ({ data: await rollSecret(ctx, wanted) })));
  },
  async withdrawApp(caller, { id }) {
    const withdraw = async (ctx: GlobalContext) => {
      await withdrawApp(ctx, id, caller.session.id);
      return done;
    };
    return caller.inGlobalTransaction((ctx) => caller.once(ctx, () => withdraw(ctx)));
  },
};
