/** The real server as a process of its own, on a database of its own, with people who can sign in. */
import type { ROLES } from "@comanda/contract/console-operation.ts";
import { forHouse, forVenue } from "../../server/src/cli/session.ts";
import { importVenue } from "../../server/src/cli/venue.ts";
import { readConfig } from "../../server/src/config.ts";
import { openDeps, openLog } from "../../server/src/deps.ts";
import { freshenLink, invite, prepareLink, requestLink } from "../../server/src/platform/links/service.ts";
import { addStaff } from "../../server/src/platform/staff/service.ts";
import { readSample, type SampleName } from "../../server/test/app.ts";
import { cloneDatabase } from "../../server/test/database.ts";
import { createFleet } from "../../server/test/processes.ts";

export type House = {
  url: string;
  venue(sample: SampleName): Promise<string>;
  /** The secret of a link as it would stand in the mail. */
  invite(slug: string, email: string, role?: (typeof ROLES)[number]): Promise<string>;
  /** The secret of a sign-in link, as a new device asks for it. */
  signInLink(email: string): Promise<string>;
  close(): Promise<void>;
};

const SECRET_KEYS = `test:${Buffer.alloc(32, 7).toString("base64")}`;

export const openHouse = async (): Promise<House> => {
  const database = await cloneDatabase();
  // A browser without a cache fetches every page's files anew, and all of them come from one address.
  const limits = { PAGE_RATE_PER_MINUTE: "1000000", CONSOLE_RATE_PER_MINUTE: "200000" };
  const fleet = await createFleet(database.appUrl, { LOG_LEVEL: "info", DRAIN_MS: "0", SECRET_KEYS, ...limits });
  const config = readConfig({ DATABASE_URL: database.appUrl, LOG_LEVEL: "fatal", SECRET_KEYS });
  const [deps] = await Promise.all([openDeps(config, { log: openLog(config.logLevel) }), fleet.start()]);
  return {
    url: `http://127.0.0.1:${fleet.port}`,
    venue: async (sample) => (await importVenue(deps, readSample(sample))).slug,
    invite: (slug, email, role = "owner") =>
      forVenue(deps, slug, async (ctx) => {
        await addStaff(ctx, { email, name: "Nina Ferrari", role, locale: null });
        const { linkId } = await invite(ctx, email);
        const link = await freshenLink(ctx, linkId);
        return link?.secret ?? "";
      }),
    async signInLink(email) {
      await forHouse(deps, (ctx) => requestLink(ctx, "sign_in", email));
      const [request] = await database.asOwner<{ id: string }>("select id from link_requests where email = $1", [email]);
      await forHouse(deps, (ctx) => prepareLink(ctx, Number(request?.id)));
      const [made] = await database.asOwner<{ id: string }>("select max(id) as id from person_links where email = $1", [email]);
      return (await forHouse(deps, (ctx) => freshenLink(ctx, Number(made?.id))))?.secret ?? "";
    },
    async close() {
      await deps.close();
      await fleet.close();
      await database.drop();
    },
  };
};
