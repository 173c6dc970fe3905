/** The registry of apps: their descriptions, secrets, redirect addresses and scopes. */
import type { AppCard, AppForm } from "@comanda/contract/console/apps.ts";
import { OAUTH_PREFIXES } from "@comanda/contract/oauth.ts";
import type { GlobalContext } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { isHashOf, randomBase62, sha256 } from "#lib/token-format.ts";
import { realNow } from "#lib/venue-clock.ts";
import { lockUser } from "#platform/people/users/store.ts";
import { APPS_PER_USER_MAX, formErrors, type NamedApp, nameError, productNameErrors, SECRETS_MAX } from "./rules.ts";
import {
  type AppRow,
  countAppsOf,
  endSecrets,
  findAppByClient,
  findApps,
  findClient,
  insertApp,
  insertSecret,
  listAllApps,
  listAppsOf,
  listCatalogueApps,
  listCatalogueNames,
  listSecrets,
  lockAppExclusive,
  lockAppShared,
  lockCatalogue,
  type OAuthClient,
  type OwnAppRow,
  setListed,
  updateApp,
  withdraw,
} from "./store.ts";

export type { AppRow, OAuthClient };
export { lockAppShared };

const CLIENT_ID_LENGTH = 24;
const CLIENT_ID = new RegExp(`^${OAUTH_PREFIXES.client}[0-9A-Za-z]{${CLIENT_ID_LENGTH}}$`);
const SECRET_LENGTH = 40;
const CATALOGUE_ROWS_MAX = 200;
/** Past by any clock. The clock that checks a secret may be behind the one that ended it. */
const EPOCH = new Date(0);

export type RegisteredClient = { id: number; client_id: string; client_secret: string };

/** The secret is returned once; only its hash is stored. */
const createSecret = (ctx: GlobalContext, appId: number): string => {
  const secret = OAUTH_PREFIXES.clientSecret + randomBase62(SECRET_LENGTH);
  insertSecret(ctx, appId, sha256(secret), secret.slice(-4));
  return secret;
};

const validateForm = (form: AppForm, userId: number | null): AppForm => {
  const errors = { ...(userId === null ? {} : productNameErrors(form)), ...formErrors(form) };
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return { ...form, scopes: [...new Set(form.scopes)], redirect_uris: [...new Set(form.redirect_uris)] };
};

const assertNameFree = async (ctx: GlobalContext, app: NamedApp): Promise<void> => {
  const error = nameError(app, await listCatalogueNames(ctx));
  if (error !== null) throw validationError({ name: [error] });
};

/** The id of an app that is not stored yet. */
const NEW_APP = 0;

/** `userId` is null for an app that the operator registers. */
export const registerApp = async (ctx: GlobalContext, userId: number | null, form: AppForm): Promise<RegisteredClient> => {
  const checked = validateForm(form, userId);
  await assertNameFree(ctx, { id: NEW_APP, user_id: userId, name: checked.name });
  // The lock lets registrations of one user run one after the other, so that the limit holds.
  const [, ownApps] = userId === null ? [null, 0] : await Promise.all([lockUser(ctx, userId), countAppsOf(ctx, userId)]);
  if (ownApps >= APPS_PER_USER_MAX) throw validationError({ name: [`You have ${APPS_PER_USER_MAX} apps already. Withdraw one first.`] });
  const clientId = OAUTH_PREFIXES.client + randomBase62(CLIENT_ID_LENGTH);
  const id = await insertApp(ctx, clientId, userId, checked);
  return { id, client_id: clientId, client_secret: createSecret(ctx, id) };
};

export const changeApp = async (ctx: GlobalContext, userId: number, id: number, form: AppForm): Promise<void> => {
  const checked = validateForm(form, userId);
  await assertNameFree(ctx, { id, user_id: userId, name: checked.name });
  if (!(await updateApp(ctx, id, userId, checked))) throw apiError("not_found");
};

/** Another user's app is not_found. With a null `userId` the operator may change any app. */
const requireOwnApp = async (ctx: GlobalContext, id: number, userId: number | null): Promise<AppRow> => {
  const app = await lockAppExclusive(ctx, id);
  if (!app || (userId !== null && app.user_id !== userId)) throw apiError("not_found");
  return app;
};

export const rollSecret = async (
  ctx: GlobalContext,
  { id, userId, overlapMs }: { id: number; userId: number | null; overlapMs: number },
): Promise<RegisteredClient> => {
  const app = await requireOwnApp(ctx, id, userId);
  if (overlapMs > 0 && (await listSecrets(ctx, [id], realNow(ctx))).length >= SECRETS_MAX)
    throw validationError({ overlap: [`${SECRETS_MAX} secrets are valid already. End the old ones now.`] });
  endSecrets(ctx, id, overlapMs === 0 ? EPOCH : new Date(realNow(ctx).getTime() + overlapMs));
  return { id, client_id: app.client_id, client_secret: createSecret(ctx, id) };
};

export const withdrawApp = async (ctx: GlobalContext, id: number, userId: number | null): Promise<number> => {
  const app = await requireOwnApp(ctx, id, userId);
  return withdraw(ctx, app.id);
};

/** An app whose name looks like a listed app's is rejected. */
export const setInCatalogue = async (ctx: GlobalContext, id: number, isListed: boolean): Promise<void> => {
  const app = await requireOwnApp(ctx, id, null);
  if (isListed) {
    lockCatalogue(ctx);
    await assertNameFree(ctx, app);
  }
  setListed(ctx, id, isListed ? realNow(ctx) : null);
};

export const listOwnApps = async (ctx: GlobalContext, userId: number) => withSecrets(ctx, await listAppsOf(ctx, userId));

export const listEveryApp = async (ctx: GlobalContext, rowCount: number) => withSecrets(ctx, await listAllApps(ctx, rowCount));

const withSecrets = async (ctx: GlobalContext, rows: OwnAppRow[]) => {
  const secrets = await listSecrets(
    ctx,
    rows.map(({ id }) => id),
    realNow(ctx),
  );
  return rows.map((row) => ({
    ...row,
    secrets: secrets
      .filter(({ app_id }) => app_id === row.id)
      .map(({ last_characters, created_at, expires_at }) => ({
        hint: `${OAUTH_PREFIXES.clientSecret}…${last_characters}`,
        created_at,
        expires_at,
      })),
  }));
};

export const findRegisteredApp = async (ctx: Pick<GlobalContext, "db">, clientId: string): Promise<AppRow | undefined> =>
  CLIENT_ID.test(clientId) ? findAppByClient(ctx, clientId) : undefined;

/** Reads apps by id, including withdrawn ones, because venues may still have them installed. */
export const readApps = async (ctx: Pick<GlobalContext, "db">, ids: readonly number[]): Promise<Map<number, AppRow>> =>
  new Map((await findApps(ctx, ids)).map((app) => [app.id, app]));

export const readCatalogue = (ctx: Pick<GlobalContext, "db">): Promise<AppRow[]> => listCatalogueApps(ctx, CATALOGUE_ROWS_MAX);

/** Compares every secret, also for an unknown client, so that the time reveals nothing. */
export const findClientBySecret = async (
  ctx: Pick<GlobalContext, "db" | "now">,
  { clientId, secret }: { clientId: string; secret: string },
): Promise<OAuthClient | null> => {
  const client = CLIENT_ID.test(clientId) ? await findClient(ctx, clientId, realNow(ctx)) : undefined;
  const matches = [null, ...(client?.hashes ?? [])].map((hash) => isHashOf(secret, hash));
  return client && matches.includes(true) ? client : null;
};

export const cardOf = ({ client_id, name, developer, summary, site, logo, listed_at }: AppRow): AppCard => ({
  client_id,
  name,
  developer,
  summary,
  site,
  logo,
  is_listed: listed_at !== null,
});
