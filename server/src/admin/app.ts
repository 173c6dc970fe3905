import type { AppForm } from "@comanda/contract/console/apps.ts";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import type { Command } from "commander";
import { openDb } from "#db/pool.ts";
import type { Ctx } from "#lib/context.ts";
import { ApiError, UserError } from "#lib/errors.ts";
import { findUser } from "#platform/people/users/store.ts";
import {
  type AppRow,
  findRegisteredApp,
  listEveryApp,
  type RegisteredClient,
  registerApp,
  rollSecret,
  setInCatalogue,
  withdrawApp,
} from "#platform/programs/apps/service.ts";
import { listInstallations, uninstallApp } from "#platform/programs/installations/service.ts";
import { type CommandContext, forVenue, withCommandContext, withoutVenue } from "./command-context.ts";
import { counted, print, table } from "./print.ts";
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
type AppOptions = { json?: boolean };

const APPS_MAX = 1000;
const HOUR_MS = 60 * 60 * 1000;

export const addAppCommands = (program: Command): Command => {
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
    .option("--owner <email>", "who may change it in the console")
    .option("--json", "print JSON")
    .action(register);
  app.command("list").description("every app, without its secrets").option("--json", "print JSON").action(list);
  app
    .command("roll <client-id>")
    .description("a new secret; those before it end after the overlap")
    .option("--overlap <hours>", "how long the old ones still work", "24")
    .option("--json", "print JSON")
    .action(roll);
  app.command("publish <client-id>").description("show it in the catalogue, after your review").action(publish(true));
  app.command("unpublish <client-id>").description("take it out of the catalogue; installations stay").action(publish(false));
  app
    .command("withdraw <client-id>")
    .description("end it everywhere, for good: every token of it is refused from the next request on")
    .option("--json", "print JSON")
    .action(withdraw);
  app.command("uninstall <slug> <client-id>").description("take it out of one venue").option("--json", "print JSON").action(uninstall);
  return app;
};

/** Faults of single fields, as a person at the keyboard reads them. */
const withFieldErrors = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "validation_failed") throw error;
    throw new UserError(
      Object.entries(error.details)
        .map(([field, faults]) => `${field}: ${(faults as string[]).join(" ")}`)
        .join("\n"),
    );
  });

const showSecret = (json: boolean, secret: RegisteredClient): void =>
  print(
    json,
    secret,
    () => `client id      ${secret.client_id}\nclient secret  ${secret.client_secret}\n\nKeep the secret now: it is not shown again.`,
  );

const register = ({ json = false, ...options }: RegisterOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
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
    const secret = await withFieldErrors(
      withoutVenue(deps, async (ctx) => {
        const person = owner === undefined ? null : await findUser(ctx, owner);
        if (owner !== undefined && !person)
          throw new UserError(`${owner} has no account. Invite them first: \`comanda-admin staff invite\`.`);
        return registerApp(ctx, person?.id ?? null, form);
      }),
    );
    showSecret(json, secret);
  });

const list = ({ json = false }: AppOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const rows = await withoutVenue(deps, (ctx) => listEveryApp(ctx, APPS_MAX));
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

const appOf = async ({ deps }: CommandContext, clientId: string): Promise<AppRow> => {
  const app = await findRegisteredApp({ db: openDb(deps.pool) }, clientId);
  if (!app) throw new UserError(`There is no app ${clientId}. See \`comanda-admin app list\`.`);
  return app;
};

const roll = (clientId: string, { overlap, json = false }: { overlap: string } & AppOptions): Promise<void> =>
  withCommandContext(async (session) => {
    const hours = Number(overlap);
    if (!(hours >= 0 && hours <= 24 * 30)) throw new UserError("--overlap takes a number of hours, 720 at most.");
    const wanted = { id: (await appOf(session, clientId)).id, userId: null, overlapMs: hours * HOUR_MS };
    showSecret(json, await withFieldErrors(withoutVenue(session.deps, (ctx) => rollSecret(ctx, wanted))));
  });

const publish =
  (isListed: boolean) =>
  (clientId: string): Promise<void> =>
    withCommandContext(async (session) => {
      const { id, install_url } = await appOf(session, clientId);
      if (isListed && install_url === null)
        throw new UserError("It has no address where installing starts, so it cannot be in the catalogue.");
      await withFieldErrors(withoutVenue(session.deps, (ctx) => setInCatalogue(ctx, id, isListed)));
      print(false, null, () => `${clientId} is ${isListed ? "in" : "out of"} the catalogue.`);
    });

const withdraw = (clientId: string, { json = false }: AppOptions): Promise<void> =>
  withCommandContext(async (session) => {
    const { id } = await appOf(session, clientId);
    const venues = await withoutVenue(session.deps, (ctx) => withdrawApp(ctx, id, null));
    print(json, { client_id: clientId, venues }, () => `${clientId} is withdrawn. It was taken out of ${counted(venues, "venue")}.`);
  });

const uninstall = (slug: string, clientId: string, { json = false }: AppOptions): Promise<void> =>
  withCommandContext(async (session) => {
    const ending = async (ctx: Ctx): Promise<void> => {
      const installed = (await listInstallations(ctx)).find(({ app }) => app.client_id === clientId);
      if (!installed) throw new UserError(`${clientId} is not installed at ${slug}.`);
      await uninstallApp(ctx, installed.id);
    };
    await forVenue(session.deps, slug, ending, { revokes: true });
    print(json, { slug, client_id: clientId, uninstalled: true }, () => `${clientId} is out of ${slug}; its next request is refused.`);
  });
