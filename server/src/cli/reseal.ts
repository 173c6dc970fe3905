import type { Command } from "commander";
import { openDb } from "#db/pool.ts";
import { Misuse } from "#lib/errors.ts";
import { directory } from "#platform/tenants/store.ts";
import { resealSecrets } from "#platform/webhooks/service.ts";
import { resealPosSecret } from "#venue/pos/service.ts";
import { print } from "./print.ts";
import { forVenue, withSession } from "./session.ts";

/** The step between putting a new key in front of SECRET_KEYS and taking the old one out. */
export const addResealCommand = (program: Command): void => {
  program
    .command("reseal")
    .description("seal every secret anew with the first of SECRET_KEYS, so that older keys can be taken out")
    .option("--json", "print JSON")
    .action(({ json = false }: { json?: boolean }) =>
      withSession(async ({ deps }) => {
        const { secretKeys } = deps.config;
        if (secretKeys.length === 0)
          throw new Misuse("SECRET_KEYS is not set: give the new key first, and behind it those that sealed so far.");
        let resealed = 0;
        for await (const { slug } of directory(openDb(deps.pool)))
          resealed += await forVenue(
            deps,
            slug,
            async (ctx) => (await resealSecrets(ctx, secretKeys)) + (await resealPosSecret(ctx, secretKeys)),
          );
        print(json, { resealed }, () => `Sealed anew with the key "${secretKeys[0]?.id ?? ""}": ${resealed}.`);
      }),
    );
};
