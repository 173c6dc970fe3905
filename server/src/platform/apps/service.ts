/** The registry of apps: who they are, how they prove it, what they may ask for. */
import type { AppCard, AppForm } from "@comanda/contract/console-apps.ts";
import { OAUTH_PREFIXES } from "@comanda/contract/oauth.ts";
import type { HouseCtx } from "#lib/context.ts";
import { fail, invalid } from "#lib/errors.ts";
import { isHashOf, randomBase62, sha256 } from "#lib/secrets.ts";
import { APPS_PER_PERSON_MAX, formFaults, type NamedApp, nameFault, SECRETS_MAX } from "./rules.ts";
import {
  type AppRow,
  type Client,
  countAppsOf,
  endSecrets,
  findAppByClient,
  findApps,
  findClient,
  holdApp,
  insertApp,
  insertSecret,
  listAllApps,
  listAppsOf,
  listListed,
  listListedNames,
  listSecrets,
  lockApp,
  lockCatalogue,
  type OwnAppRow,
  setListed,
  updateApp,
  withdraw,
} from "./store.ts";

export type { AppRow, Client };

const CLIENT_ID_LENGTH = 24;
const CLIENT_ID = new RegExp(`^${OAUTH_PREFIXES.client}[0-9A-Za-z]{${CLIENT_ID_LENGTH}}$`);
const SECRET_LENGTH = 40;
const CATALOGUE_ROWS_MAX = 200;
/** Over by any clock: the one that a secret is judged by may be behind the one that ended it. */
const LONG_OVER = new Date(0);

export type NewSecret = { id: number; client_id: string; client_secret: string };

/** Shown here and nowhere else; only its hash is kept. */
const giveSecret = (ctx: HouseCtx, appId: number): string => {
  const secret = OAUTH_PREFIXES.clientSecret + randomBase62(SECRET_LENGTH);
  insertSecret(ctx, appId, sha256(secret), secret.slice(-4));
  return secret;
};

const tidy = (form: AppForm): AppForm => {
  const faults = formFaults(form);
  if (Object.keys(faults).length > 0) throw invalid(faults);
  return { ...form, scopes: [...new Set(form.scopes)], redirect_uris: [...new Set(form.redirect_uris)] };
};

const refuseTwin = async (ctx: HouseCtx, app: NamedApp): Promise<void> => {
  const fault = nameFault(app, await listListedNames(ctx));
  if (fault !== null) throw invalid({ name: [fault] });
};

/** No app has this number yet. */
const NEW_APP = 0;

/** Null as the person: the operator looks after it. */
export const registerApp = async (ctx: HouseCtx, personId: number | null, form: AppForm): Promise<NewSecret> => {
  const checked = tidy(form);
  await refuseTwin(ctx, { id: NEW_APP, person_id: personId, name: checked.name });
  if (personId !== null && (await countAppsOf(ctx, personId)) >= APPS_PER_PERSON_MAX)
    throw invalid({ name: [`You have ${APPS_PER_PERSON_MAX} apps already. Withdraw one first.`] });
  const clientId = OAUTH_PREFIXES.client + randomBase62(CLIENT_ID_LENGTH);
  const id = await insertApp(ctx, clientId, personId, checked);
  return { id, client_id: clientId, client_secret: giveSecret(ctx, id) };
};

export const changeApp = async (ctx: HouseCtx, personId: number, id: number, form: AppForm): Promise<void> => {
  const checked = tidy(form);
  await refuseTwin(ctx, { id, person_id: personId, name: checked.name });
  if (!(await updateApp(ctx, id, personId, checked))) throw fail("not_found");
};

/** Somebody else's app looks like none. The operator, who is nobody, may touch any. */
const ownApp = async (ctx: HouseCtx, id: number, personId: number | null): Promise<AppRow> => {
  const app = await lockApp(ctx, id);
  if (!app || (personId !== null && app.person_id !== personId)) throw fail("not_found");
  return app;
};

export const rollSecret = async (
  ctx: HouseCtx,
  { id, personId, overlapMs }: { id: number; personId: number | null; overlapMs: number },
): Promise<NewSecret> => {
  const app = await ownApp(ctx, id, personId);
  if (overlapMs > 0 && (await listSecrets(ctx, [id], ctx.now)).length >= SECRETS_MAX)
    throw invalid({ overlap: [`${SECRETS_MAX} secrets are good already. End the old ones now.`] });
  endSecrets(ctx, id, overlapMs === 0 ? LONG_OVER : new Date(ctx.now.getTime() + overlapMs));
  return { id, client_id: app.client_id, client_secret: giveSecret(ctx, id) };
};

export const withdrawApp = async (ctx: HouseCtx, id: number, personId: number | null): Promise<number> => {
  const app = await ownApp(ctx, id, personId);
  return withdraw(ctx, app.id);
};

/** Of two that look alike, the second is refused. */
export const setInCatalogue = async (ctx: HouseCtx, id: number, isListed: boolean): Promise<void> => {
  const app = await ownApp(ctx, id, null);
  if (isListed) {
    lockCatalogue(ctx);
    await refuseTwin(ctx, app);
  }
  setListed(ctx, id, isListed ? ctx.now : null);
};

export const listOwnApps = async (ctx: HouseCtx, personId: number) => withSecrets(ctx, await listAppsOf(ctx, personId));

export const listEveryApp = async (ctx: HouseCtx, rowCount: number) => withSecrets(ctx, await listAllApps(ctx, rowCount));

const withSecrets = async (ctx: HouseCtx, rows: OwnAppRow[]) => {
  const secrets = await listSecrets(
    ctx,
    rows.map(({ id }) => id),
    ctx.now,
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

export const findRegistered = async (ctx: Pick<HouseCtx, "db">, clientId: string): Promise<AppRow | undefined> =>
  CLIENT_ID.test(clientId) ? findAppByClient(ctx, clientId) : undefined;

/** By number, for those that a venue has installed; withdrawn ones included. */
export const readApps = async (ctx: Pick<HouseCtx, "db">, ids: readonly number[]): Promise<Map<number, AppRow>> =>
  new Map((await findApps(ctx, ids)).map((app) => [app.id, app]));

export const holdRegistered = (ctx: Pick<HouseCtx, "db">, id: number): Promise<AppRow | undefined> => holdApp(ctx, id);

export const readCatalogue = (ctx: Pick<HouseCtx, "db">): Promise<AppRow[]> => listListed(ctx, CATALOGUE_ROWS_MAX);

/** The app whose secret this is; every secret is compared, none is told from another by its time. */
export const recogniseClient = async (
  ctx: Pick<HouseCtx, "db" | "now">,
  { clientId, secret }: { clientId: string; secret: string },
): Promise<Client | null> => {
  const client = CLIENT_ID.test(clientId) ? await findClient(ctx, clientId, ctx.now) : undefined;
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
