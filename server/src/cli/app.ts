import type { AppForm } from "@comanda/contract/console-apps.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { Command } from "commander";
import { checkFit, connectTo } from "#cells/connections.ts";
import { copyApps } from "#cells/parcels.ts";
import { readMoveConfig } from "#config.ts";
import { openDb } from "#db/pool.ts";
import type { Ctx } from "#lib/context.ts";
import { Misuse, Refusal } from "#lib/errors.ts";
import {
  type AppRow,
  findRegistered,
  listEveryApp,
  type NewSecret,
  registerApp,
  rollSecret,
  setInCatalogue,
  withdrawApp,
} from "#platform/apps/service.ts";
import { listInstallations, uninstallApp } from "#platform/installations/service.ts";
import { findByEmail } from "#platform/people/service.ts";
import { counted, print, sayWhere, table } from "./print.ts";
import { forHouse, forVenue, type Session, withSession } from "./session.ts";
import { readScopes } from "./token.ts";

type RegisterOptions = {
  name: string;
  developer: string;
  summary?: string;
  site: string;
  redirect: string[];
  scopes: string;
  installUrl?: string;
  owner?: string;
  json?: boolean;
};
type Json = { json?: boolean };

const APPS_MAX = 1000;
const HOUR_MS = 60 * 60 * 1000;

export const addAppCommands = (program: Command): void => {
  const app = program.command("app").description("apps of the marketplace: register, list, roll, publish, withdraw, uninstall");
  app
    .command("register")
    .description("give an app a client id and a secret; the secret is shown this once")
    .requiredOption("--name <name>", "what venues see")
    .requiredOption("--developer <name>", "who makes it")
    .requiredOption("--site <url>", "its page, with https")
    .requiredOption("--redirect <url...>", "where owners are sent back to, letter by letter")
    .requiredOption("--scopes <list>", "what it may ask for, separated by commas, or all")
    .option("--summary <text>", "what it does, in one sentence")
    .option("--install-url <url>", "its page where a venue starts to install it; needed for the catalogue")
    .option("--owner <email>", "who may look after it in the console")
    .option("--json", "print JSON")
    .action(register);
  app.command("list").description("every app, without its secrets").option("--json", "print JSON").action(list);
  app
    .command("roll <client-id>")
    .description("a new secret; those before it end after the overlap")
    .option("--overlap <hours>", "how long the old ones still work", "24")
    .option("--json", "print JSON")
    .action(roll);
  app.command("publish <client-id>").description("show it in the catalogue: you have looked at it").action(publish(true));
  app.command("unpublish <client-id>").description("take it out of the catalogue; installations stay").action(publish(false));
  app
    .command("withdraw <client-id>")
    .description("end it everywhere, for good: every token of it is refused from the next request on")
    .option("--json", "print JSON")
    .action(withdraw);
  app
    .command("copy <client-id>")
    .description("register it with the same secrets in another cell (MOVE_TO_DATABASE_URL), or bring it up to date there")
    .action(copyToCell);
  app.command("uninstall <slug> <client-id>").description("take it out of one venue").option("--json", "print JSON").action(uninstall);
};

const copyToCell = async (clientId: string): Promise<void> => {
  const { fromUrl, toUrl } = readMoveConfig(process.env);
  for (const url of [fromUrl, toUrl]) sayWhere(url);
  const [from, to] = [await connectTo(fromUrl), await connectTo(toUrl)];
  try {
    const { there } = await checkFit(from, to);
    if ((await copyApps(from, to, { clientId })) === 0) throw new Misuse(`There is no app "${clientId}" in this cell.`);
    process.stdout.write(`Cell ${there} knows ${clientId} as this one does.\n`);
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
};

/** Faults of single fields, as a person at the keyboard reads them. */
const inWords = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== "validation_failed") throw error;
    throw new Misuse(
      Object.entries(error.details)
        .map(([field, faults]) => `${field}: ${(faults as string[]).join(" ")}`)
        .join("\n"),
    );
  });

const showSecret = (json: boolean, secret: NewSecret): void =>
  print(
    json,
    secret,
    () => `client id      ${secret.client_id}\nclient secret  ${secret.client_secret}\n\nKeep the secret now: it is not shown again.`,
  );

const register = ({ json = false, ...options }: RegisterOptions): Promise<void> =>
  withSession(async ({ deps }) => {
    const form: AppForm = {
      name: options.name,
      developer: options.developer,
      summary: options.summary ?? options.name,
      site: options.site,
      install_url: options.installUrl ?? null,
      logo: null,
      redirect_uris: options.redirect,
      scopes: options.scopes === "all" ? ALL_SCOPES : readScopes(options.scopes),
    };
    const { owner } = options;
    const secret = await inWords(
      forHouse(deps, async (ctx) => {
        const person = owner === undefined ? null : await findByEmail(ctx, owner);
        if (owner !== undefined && !person) throw new Misuse(`Nobody signs in as ${owner}. Invite them first: \`comanda staff invite\`.`);
        return registerApp(ctx, person?.id ?? null, form);
      }),
    );
    showSecret(json, secret);
  });

const list = ({ json = false }: Json): Promise<void> =>
  withSession(async ({ deps }) => {
    const rows = await forHouse(deps, (ctx) => listEveryApp(ctx, APPS_MAX));
    print(json, rows, () =>
      table(
        rows.map(({ client_id, name, developer, scopes, installations, listed_at, withdrawn_at }) => ({
          client_id,
          name,
          developer,
          scopes,
          venues: installations,
          state: withdrawn_at ? "withdrawn" : listed_at ? "in the catalogue" : "registered",
        })),
      ),
    );
  });

const appOf = async ({ deps }: Session, clientId: string): Promise<AppRow> => {
  const app = await findRegistered({ db: openDb(deps.pool) }, clientId);
  if (!app) throw new Misuse(`There is no app ${clientId}. See \`comanda app list\`.`);
  return app;
};

const roll = (clientId: string, { overlap, json = false }: { overlap: string } & Json): Promise<void> =>
  withSession(async (session) => {
    const hours = Number(overlap);
    if (!(hours >= 0 && hours <= 24 * 30)) throw new Misuse("--overlap takes a number of hours, 720 at most.");
    const wanted = { id: (await appOf(session, clientId)).id, personId: null, overlapMs: hours * HOUR_MS };
    showSecret(json, await inWords(forHouse(session.deps, (ctx) => rollSecret(ctx, wanted))));
  });

const publish =
  (isListed: boolean) =>
  (clientId: string): Promise<void> =>
    withSession(async (session) => {
      const { id, install_url } = await appOf(session, clientId);
      if (isListed && install_url === null)
        throw new Misuse("It has no address where installing starts, so it cannot be in the catalogue.");
      await inWords(forHouse(session.deps, (ctx) => setInCatalogue(ctx, id, isListed)));
      print(false, null, () => `${clientId} is ${isListed ? "in" : "out of"} the catalogue.`);
    });

const withdraw = (clientId: string, { json = false }: Json): Promise<void> =>
  withSession(async (session) => {
    const { id } = await appOf(session, clientId);
    const venues = await forHouse(session.deps, (ctx) => withdrawApp(ctx, id, null));
    print(json, { client_id: clientId, venues }, () => `${clientId} is withdrawn. It was taken out of ${counted(venues, "venue")}.`);
  });

const uninstall = (slug: string, clientId: string, { json = false }: Json): Promise<void> =>
  withSession(async (session) => {
    const ending = async (ctx: Ctx): Promise<void> => {
      const installed = (await listInstallations(ctx)).find(({ app }) => app.client_id === clientId);
      if (!installed) throw new Misuse(`${clientId} is not installed at ${slug}.`);
      await uninstallApp(ctx, installed.id);
    };
    await forVenue(session.deps, slug, ending, { revokes: true });
    print(json, { slug, client_id: clientId, uninstalled: true }, () => `${clientId} is out of ${slug}; its next request is refused.`);
  });
