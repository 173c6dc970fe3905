import { ALL_SCOPES, isScope, type Scope } from "@comanda/contract/scopes.ts";
import type { Command } from "commander";
import { openDb } from "#db/pool.ts";
import { UserError } from "#lib/errors.ts";
import { createTokenAndAlert, listTokens, revokeToken } from "#platform/programs/tokens/service.ts";
import { findTokenRecord } from "#platform/programs/tokens/store.ts";
import { forVenue, withCommandContext } from "./command-context.ts";
import { print, table, withApiErrors } from "./print.ts";
import { readInstant } from "./venue.ts";

type CreateOptions = { name: string; scopes: string; expires?: string; rate?: string; json?: boolean };

export const addTokenCommands = (program: Command): void => {
  const token = program.command("token").description("bearer tokens: create, list, revoke");
  token
    .command("create <slug>")
    .description("issue a token; it is shown this once")
    .requiredOption("--name <name>", "what it is for")
    .requiredOption("--scopes <list>", "scopes separated by commas, or all")
    .option("--expires <when>", "the moment it stops working, as 2027-01-31T12:00:00Z")
    .option("--rate <count>", "requests per minute, if not as many as usual")
    .option("--json", "print JSON")
    .action(create);
  token.command("list <slug>").description("the tokens of a venue, without their secrets").option("--json", "print JSON").action(list);
  token.command("revoke <id>").description("end a token; its next request is refused").option("--json", "print JSON").action(revoke);
};

const create = (slug: string, { json = false, ...options }: CreateOptions): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const wanted = {
      kind: "api" as const,
      name: options.name,
      scopes: readScopes(options.scopes),
      ratePerMinute: options.rate === undefined ? null : readRate(options.rate),
      expiresAt: options.expires === undefined ? null : readInstant(options.expires, "--expires"),
    };
    const { id, token } = await withApiErrors(() => forVenue(deps, slug, (ctx) => createTokenAndAlert(ctx, wanted)));
    const { name, scopes, ratePerMinute: rate_per_minute, expiresAt: expires_at } = wanted;
    print(
      json,
      { id, token, slug, name, scopes, rate_per_minute, expires_at },
      () => `${token}\n\nKeep it now: it is not shown again. It carries ${scopes.join(", ") || "no scope"}.`,
    );
  });

const list = (slug: string, { json = false }: { json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    const rows = await forVenue(deps, slug, listTokens);
    print(json, rows, () =>
      table(
        rows.map(({ id, name, hint, scopes, state, last_used_at, expires_at }) => ({
          id,
          name,
          hint,
          scopes,
          state,
          last_used_at,
          expires_at,
        })),
      ),
    );
  });

const revoke = (text: string, { json = false }: { json?: boolean }): Promise<void> =>
  withCommandContext(async ({ deps }) => {
    // The whole token may be pasted; only the number in front of `|` is needed.
    const id = Number(text.split("|")[0]);
    const record = Number.isSafeInteger(id) ? await findTokenRecord(openDb(deps.pool), id) : undefined;
    if (!record) throw new UserError(`There is no token ${Number.isNaN(id) ? "of that form" : id}. See \`comanda-admin token list SLUG\`.`);
    const isRevoked = await forVenue(deps, record.slug, (ctx) => revokeToken(ctx, id), { revokes: true });
    print(json, { id, revoked: true }, () => (isRevoked ? `Token ${id} is revoked.` : `Token ${id} was revoked before.`));
  });

export const readScopes = (list: string): Scope[] => {
  if (list === "all") return ALL_SCOPES;
  const parts = list
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  const unknown = parts.filter((part) => !isScope(part));
  if (unknown.length > 0) throw new UserError(`Unknown scope ${unknown.join(", ")}. The scopes are: ${ALL_SCOPES.join(", ")}.`);
  return parts.filter(isScope);
};

const readRate = (text: string): number => {
  const rate = Number(text);
  if (!Number.isInteger(rate) || rate < 1 || rate > 100_000_000) throw new UserError("--rate takes a whole number of requests per minute.");
  return rate;
};
