/** What a developer does with the apps of their own. */
import { OVERLAP_MS } from "@comanda/contract/console-operation.ts";
import type { PersonCall, PersonCallIds } from "#http/console-calls.ts";
import { cardOf, changeApp, listOwnApps, registerApp, rollSecret, withdrawApp } from "./service.ts";

const REGISTRATIONS_PER_MINUTE = 60;

type RegistryIds = Extract<PersonCallIds, "listOwnApps" | "registerApp" | "changeApp" | "rollAppSecret" | "withdrawApp">;

/** All that these calls ask of a visit. */
type Somebody = { id: number };

export const registryCalls: { [I in RegistryIds]: PersonCall<I, Somebody> } = {
  async listOwnApps(caller) {
    const rows = await caller.inHouse((ctx) => listOwnApps(ctx, caller.visit.id));
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
    await caller.countIn({ key: `register-app:person:${caller.visit.id}`, limit: REGISTRATIONS_PER_MINUTE, windowSeconds: 60 });
    return { data: await caller.inHouse((ctx) => registerApp(ctx, caller.visit.id, form)) };
  },
  async changeApp(caller, { id, body }) {
    const form = body();
    await caller.inHouse((ctx) => changeApp(ctx, caller.visit.id, id, form));
    return { data: {} };
  },
  async rollAppSecret(caller, { id, body }) {
    const { overlap } = body();
    const wanted = { id, personId: caller.visit.id, overlapMs: OVERLAP_MS[overlap] };
    return { data: await caller.inHouse((ctx) => rollSecret(ctx, wanted)) };
  },
  async withdrawApp(caller, { id }) {
    await caller.inHouse((ctx) => withdrawApp(ctx, id, caller.visit.id));
    return { data: {} };
  },
};
