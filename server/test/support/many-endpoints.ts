/** Many venues with many endpoints, receivers for all of them in another process, and what is due written in bulk. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { createAuthority, createCertificate } from "./certificates.ts";
import type { ReceiversReport } from "./receivers-process.ts";
import { bundled } from "./shared-by-files.ts";
import { forVenue, type TestApp } from "./test-app.ts";

const HOST = "pos.test";

export type Receivers = {
  /** All on one host, as those of one integrator are. */
  url(path: string): string;
  authorityCert: string;
  /** What has come since the last report. */
  report(): Promise<ReceiversReport>;
  stop(): void;
};

export const startReceivers = async (): Promise<Receivers> => {
  const authority = createAuthority();
  const { cert, key } = createCertificate([HOST], { issuer: authority });
  const child = fork(await bundled(fileURLToPath(new URL("./receivers-process.ts", import.meta.url))), {
    env: { CERT: cert, KEY: key },
    execArgv: [],
  });
  const nextMessage = <T>(): Promise<T> => new Promise((resolve) => child.once("message", (message) => resolve(message as T)));
  const port = await nextMessage<number>();
  return {
    url: (path) => `https://${HOST}:${port}${path}`,
    authorityCert: authority.cert,
    report: () => {
      const answered = nextMessage<ReceiversReport>();
      child.send("report");
      return answered;
    },
    stop: () => child.disconnect(),
  };
};

/** Endpoints of one venue at these paths; gives back their ids. */
export const addEndpoints = (app: TestApp, slug: string, urls: string[], events = ["order.created"]): Promise<number[]> =>
  forVenue(app.deps, slug, async (ctx) => {
    const ids: number[] = [];
    for (const url of urls)
      ids.push((await addEndpoint(ctx, { url, events, description: null }, app.deps.config.encryptionKeys)).endpoint.id);
    return ids;
  });

/** Venues that have nothing but a name: enough for what is sent to their endpoints. */
export const addBareVenues = async (app: TestApp, prefix: string, count: number): Promise<string[]> => {
  const slugs = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  await app.database.asOwner(
    `insert into restaurants (slug, name, currency, zone, default_language, plan, created_at, updated_at)
     select slug, '{"en": "Bare"}', 'EUR', 'UTC', 'en', 'complete', now(), now() from unnest($1::text[]) slug`,
    [slugs],
  );
  return slugs;
};

/** Becomes due all at once, when it is committed: so many events to each of these endpoints. */
export const makeDue = (app: TestApp, endpointIds: number[], count: number): Promise<object[]> =>
  app.database.asOwner(
    `with target as (
       select restaurant_id, id from webhook_endpoints where id = any($1::bigint[])
     ), made as (
       insert into events (restaurant_id, id, type, created_at, body)
       select t.restaurant_id, gen_random_uuid(), 'order.created', now(), '{"data":{}}'
       from (select distinct restaurant_id from target) t, generate_series(1, $2::integer)
       returning restaurant_id, id
     )
     insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
     select t.restaurant_id, t.id, m.id, 'order.created', 'ready', now(), now(), now() from made m join target t using (restaurant_id)`,
    [endpointIds, count],
  );
