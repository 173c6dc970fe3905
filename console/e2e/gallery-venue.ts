/** What the pictures of `docs/images` show: the sample venues on one evening that is the same in every run, with four weeks before it. */
import type { AddressInfo } from "node:net";
import { forVenue } from "../../server/src/admin/command-context.ts";
import { createDemo } from "../../server/src/admin/demo.ts";
import { buildApp } from "../../server/src/compose/api.ts";
import { importVenue } from "../../server/src/compose/import-venue.ts";
import { openDb } from "../../server/src/db/pool.ts";
import type { Deps } from "../../server/src/deps.ts";
import { inDemoVenue, layDemoEvening, placePastOrder } from "../../server/src/dev/demo-evening/demo-evening.ts";
import type { Sender } from "../../server/src/platform/events/webhooks/send/sender.ts";
import { addEndpoint } from "../../server/src/platform/events/webhooks/service/endpoints.ts";
import type { MessageSender } from "../../server/src/platform/messages/notifications/send.ts";
import { restaurantIdOf } from "../../server/src/platform/tenants/service.ts";
import { cloneDatabase } from "../../server/test/support/database.ts";
import { freePort } from "../../server/test/support/processes.ts";
import { random } from "../../server/test/support/seeded-random.ts";
import { createClock, readSample } from "../../server/test/support/test-app.ts";
import { openDepsOf, operate, type RealServer } from "./real-server.ts";

/** A Friday, twenty to nine in Rome. */
export const GALLERY_TIME = "2026-06-12T18:40:00Z";
export const GALLERY_VENUE = "trattoria-da-nino";
/** The café whose menu is in Arabic. */
export const GALLERY_CAFE = readSample("gulf-cafe").restaurant.slug;

const SEED = 23;
const DAY_MINUTES = 24 * 60;
const PAST_DAYS = 27;
/** Orders of each weekday, from the day before back. */
const ORDERS_OF_PAST_DAYS = [14, 11, 9, 7, 12, 19, 17];
/** Minutes from the evening's moment: between noon and two, and from half past seven to ten. */
const LUNCH_MINUTES = { from: -520, to: -400 };
const DINNER_MINUTES = { from: -70, to: 80 };
const OVER_MINUTES = 45;

/** A receiver that answers after 41 ms: nothing leaves this machine. */
const answering: Sender = {
  send: async () => ({ status: 200, durationMs: 41, excerpt: "ok", failure: null, sentence: "Delivered." }),
  close: async () => undefined,
};

/** Messages count as sent, as with a mail server. */
const taking: MessageSender = { send: async () => ({ isSent: true }), close: () => undefined };

export type GalleryVenue = RealServer & { deps: Deps };

/** `isWhole`: every sample venue, and the orders of four weeks. Otherwise one venue and its evening. */
export const openGalleryVenue = async ({ isWhole }: { isWhole: boolean }): Promise<GalleryVenue> => {
  const [database, port] = await Promise.all([cloneDatabase(), freePort()]);
  const deps = await openDepsOf(database, port, {}, createClock(GALLERY_TIME));
  const app = await buildApp(deps, { sender: answering });
  await app.http.listen({ host: "127.0.0.1", port });
  const numbers = random(SEED);
  const chance = (): number => numbers(1_000_000) / 1_000_000;
  if (isWhole) await createDemo(deps, `http://127.0.0.1:${port}`, { tokenNames: ["full"], alwaysOpen: GALLERY_VENUE });
  else await importVenue(deps, readSample("trattoria"));
  const endpoint = { url: "https://shop.example.com/comanda", description: "Web shop", events: ["order.created", "order.paid"] };
  const inVenue = inDemoVenue(deps, await restaurantIdOf(openDb(deps.pool), GALLERY_VENUE), chance);
  if (isWhole)
    for (let day = PAST_DAYS; day > 0; day--)
      for (let order = 0; order < (ORDERS_OF_PAST_DAYS[(day - 1) % 7] ?? 0); order++) {
        const { from, to } = chance() < 0.3 ? LUNCH_MINUTES : DINNER_MINUTES;
        const minutesAgo = day * DAY_MINUTES - Math.round(from + chance() * (to - from));
        await placePastOrder(inVenue, { minutesAgo, overMinutes: OVER_MINUTES, moves: ["accepted", "ready", "completed"] }, chance);
      }
  await forVenue(deps, GALLERY_VENUE, (ctx) => addEndpoint(ctx, endpoint, deps.config.encryptionKeys));
  await layDemoEvening(inVenue, chance);
  const server = operate({
    database,
    deps,
    port: (app.http.server.address() as AddressInfo).port,
    stop: () => app.stop(),
    senders: { sender: answering, messageSender: taking },
  });
  return { ...server, deps };
};
