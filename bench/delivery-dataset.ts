/** Venues with endpoints, and deliveries that are due to them: written in bulk, as the schema's owner. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { EVENT_SAMPLES } from "../contract/src/events/event-samples.ts";
import { forVenue } from "../server/src/admin/command-context.ts";
import { importVenue } from "../server/src/compose/import-venue.ts";
import type { Deps } from "../server/src/deps.ts";
import { addEndpoint } from "../server/src/platform/events/webhooks/service/endpoints.ts";
import { parseVenueFile } from "../server/src/venue/setup/venue-file/service.ts";

export type DatasetShape = { name: string; venues: number; endpointsPerVenue: number; eventsPerVenue: number };

export type DeliveryDataset = { shape: DatasetShape; venueIds: number[]; urls: string[] };

export const BODY = JSON.stringify(EVENT_SAMPLES["order.created"]);

export const ENCRYPTION_KEYS = `bench:${randomBytes(32).toString("base64")}`;

const SAMPLE = readFileSync(new URL("../server/samples/lab.json", import.meta.url), "utf8");

/** A host name for each endpoint, as in service: connections are kept by host. */
export const buildDataset = async (deps: Deps, shape: DatasetShape, port: number): Promise<DeliveryDataset> => {
  const dataset: DeliveryDataset = { shape, venueIds: [], urls: [] };
  for (let venue = 0; venue < shape.venues; venue++) {
    const file = parseVenueFile(SAMPLE);
    file.restaurant.slug = `${shape.name}-${venue}`;
    dataset.venueIds.push((await importVenue(deps, file)).restaurant_id);
    for (let endpoint = 0; endpoint < shape.endpointsPerVenue; endpoint++) {
      const url = `https://${file.restaurant.slug}-${endpoint}.bench.test:${port}/events`;
      const wanted = { url, events: ["order.created"], description: null };
      await forVenue(deps, file.restaurant.slug, (ctx) => addEndpoint(ctx, wanted, deps.config.encryptionKeys));
      dataset.urls.push(url);
    }
  }
  return dataset;
};

/** Becomes due all at once, when it is committed. */
export const FILL = `
  with wanted as (
    insert into events (restaurant_id, id, type, created_at, body)
    select v, gen_random_uuid(), 'order.created', now(), $2 from unnest($1::bigint[]) v, generate_series(1, $3::integer)
    returning restaurant_id, id
  )
  insert into deliveries (restaurant_id, endpoint_id, event_id, event_type, state, due_at, created_at, updated_at)
  select e.restaurant_id, e.id, w.id, 'order.created', 'ready', now(), now(), now()
  from wanted w join webhook_endpoints e using (restaurant_id)`;
