/**
 * A backup is restored and started beside or instead of its original. It must not send what the original has sent, and a cell that
 * was restored to before a move must not serve the venue that has moved. Needs `pg_dump`: Debian's package `postgresql`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withoutVenue } from "#admin/command-context.ts";
import { startWorker } from "#compose/worker.ts";
import { enqueueGlobal } from "#platform/jobs/service.ts";
import { moveVenue } from "../../../cells/src/move.ts";
import { readRestored, releaseCopy } from "../../../cells/src/release.ts";
import { ANY_TIME } from "../../../cells/src/unsent.ts";
import type { TestDatabase } from "../support/database.ts";
import { DUMP_HOME, type DumpServer, openDumpServer } from "../support/dump-tools.ts";
import {
  causeSends,
  NOTHING,
  ONE_OF_EACH,
  type OutboundArrivals,
  type OutboundReceivers,
  openOutboundReceivers,
} from "../support/outside-world.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

/** Longer than every loop of a worker takes to look for work. */
const QUIET_MS = 2500;

const SINGLE = { otherUrls: [], isOneOfSeveral: false, cells: 1, outbound: "on" } as const;

/** What removing the comparison from the code would do: the database always seems to be the recorded one. */
const removeCheck = ({ asOwner }: TestDatabase) =>
  asOwner(`create or replace function app.current_identity() returns table (system_identifier text, database_oid bigint, table_oid bigint, database_name text)
    language plpgsql stable as $$ begin return query select i.system_identifier, i.database_oid, i.table_oid, i.database_name from app.database_identity i; end $$`);

const times = (count: number): OutboundArrivals => ({ mails: count, texts: count, deliveries: count, pushes: count });

let server: DumpServer;
let world: OutboundReceivers;

describe.runIf(DUMP_HOME !== null)("restored from a dump", () => {
  beforeAll(async () => {
    [server, world] = await Promise.all([openDumpServer(), openOutboundReceivers()]);
  }, 180_000);
  afterAll(async () => {
    await world.close();
    await server.close();
  });

  describe("an installation", () => {
    let lab: TestVenue;
    let copy: TestDatabase;
    /** The planted fault uses this copy. */
    let second: TestDatabase;
    /** What is due before it was sent by the original, what is due after it was not. */
    let stoppedAt: Date;

    beforeAll(async () => {
      const app = await startApp({ database: server.origin, environment: world.environment });
      app.clock.set(new Date().toISOString());
      lab = await app.venue("lab", (file) => {
        file.tables = [];
        file.table_combinations = [];
      });
      await world.connect(app.deps, lab.slug);
      const cause = () => causeSends((method, path, body) => app.call(lab.token, method, path, body === undefined ? {} : { body }));
      await cause();
      await app.database.asOwner(
        "insert into security_alerts (email, kind, language, subject, body, state, created_at) values ('eve@example.test', 'password.changed', 'en', 's', 'b', 'queued', now())",
      );
      const alert = await app.database.asOwner<{ id: string }>("select id from security_alerts");
      await withoutVenue(app.deps, async (ctx) => {
        await enqueueGlobal(ctx, "send-alert", { alert_id: Number(alert[0]?.id), attempt: 1 });
        await enqueueGlobal(ctx, "prepare-link", { request_id: 1 });
      });
      await sleep(50);
      stoppedAt = new Date();
      await sleep(50);
      app.clock.set(new Date().toISOString());
      await cause();
      await app.close();
      copy = await server.restore(await server.dump(server.origin));
      second = await server.copy(copy);
    }, 180_000);
    afterAll(() => Promise.all([copy.drop(), second.drop()]));

    test("sends nothing and serves no request until it is released; then what is due since, exactly once, and nothing of before", async () => {
      const api = await startApp({ database: copy, environment: world.environment });
      const worker = await startWorker(api.deps, { sender: world.sender() });
      const call = (method: string, path: string, body?: object) => api.call(lab.token, method, path, body === undefined ? {} : { body });
      await sleep(QUIET_MS);
      expect(world.arrived()).toEqual(NOTHING);
      expect([(await call("GET", "/items?per_page=1")).status, (await call("POST", "/orders", {})).status]).toEqual([503, 503]);
      expect(api.deps.outbound.reason()).toMatch(/^this database is a restored copy of comanda_drill_\w+ and was not released/);
      const { waiting } = await readRestored({ url: copy.ownerUrl });
      expect(waiting).toMatchObject([
        { what: "pushes to tills", count: 2 },
        { what: "mails and text messages", count: 4 },
        { what: "requests for a link by mail", count: 1 },
        { what: "links by mail", count: 0 },
        { what: "links to open a venue", count: 0 },
        { what: "security mails", count: 1 },
        { what: "webhook deliveries", count: 2 },
      ]);

      const given_up = { venues: 1, jobs: 5, deliveries: 1 };
      expect(await releaseCopy({ ...SINGLE, url: copy.ownerUrl, before: stoppedAt })).toMatchObject({ given_up, away: [], missing: [] });
      expect(await world.until(ONE_OF_EACH)).toEqual(ONE_OF_EACH);
      api.clock.set(new Date().toISOString());
      await causeSends(call);
      expect(await world.until(times(2))).toEqual(times(2));
      await worker.stop();
      await api.close();
      expect(await copy.asOwner("select state from security_alerts")).toEqual([{ state: "failed" }]);
      expect(await givenUp(copy)).toEqual([
        { what: "audit", state: "operator", reason: "1" },
        { what: "delivery", state: "failed", reason: "restored" },
        { what: "message", state: "failed", reason: "given up after a restore" },
        { what: "message", state: "failed", reason: "given up after a restore" },
        { what: "push", state: "failed", reason: "restored" },
      ]);
    });

    const givenUp = ({ asOwner }: TestDatabase) =>
      asOwner(
        `select case e.kind when 'pos' then 'push' else 'delivery' end as what, d.state, d.last_failure as reason
           from deliveries d join webhook_endpoints e on (e.restaurant_id, e.id) = (d.restaurant_id, d.endpoint_id) where d.state <> 'done'
         union all select 'message', state, last_failure from notifications where state <> 'sent'
         union all select 'audit', actor_kind, after ->> 'deliveries_not_sent' from audit_entries where action = 'restaurant.restored' order by 1`,
      );

    test("planted fault: without the comparison of identities the copy sends everything a second time", async () => {
      world.reset();
      await removeCheck(second);
      const app = await startApp({ database: second, environment: world.environment });
      app.clock.set(new Date().toISOString());
      const worker = await startWorker(app.deps, { sender: world.sender() });
      // Besides one of each kind, the security mail.
      const sent = { ...times(2), mails: 3 };
      expect(await world.until(sent)).toEqual(sent);
      await worker.stop();
      await app.close();
    });
  });

  describe("a cell, to before a move", () => {
    let cells: [TestDatabase, TestDatabase];
    let apps: [TestApp, TestApp];
    let mover: TestVenue;
    let lateToken: string;
    let stays: TestVenue;
    let copy: TestDatabase;
    let second: TestDatabase;

    const open = (database: TestDatabase, cell: number) =>
      startApp({ database, environment: { CELL: String(cell), CELLS: "2", ...world.environment } });

    beforeAll(async () => {
      cells = [server.origin, await server.cell(1)];
      apps = [await open(cells[0], 0), await open(cells[1], 1)];
      mover = await apps[0].venue("lab", (file) => {
        file.restaurant.slug = "mover";
      });
      stays = await apps[0].venue("gulf-cafe");
      copy = await server.restore(await server.dump(cells[0]));
      second = await server.copy(copy);
      lateToken = await apps[0].token("mover");
      const [fromUrl, toUrl] = [cells[0].ownerUrl, cells[1].ownerUrl];
      await moveVenue({ fromUrl, toUrl, slug: "mover", encryptionKeys: apps[0].deps.config.encryptionKeys, lateReadsMs: 0 });
    }, 180_000);
    afterAll(async () => {
      await Promise.all(apps.map((app) => app.close()));
      for (const database of [cells[1], copy, second]) await database.drop();
    });

    /** Every way in that a token has. */
    const answersOf = async ({ app, call }: TestApp, { token }: TestVenue): Promise<number[]> => {
      const paths = ["/items", "/orders", "/reservations", "/guests", "/nowhere"];
      const read = await Promise.all(paths.map(async (path) => (await call(token, "GET", path)).status));
      const written = await call(token, "POST", "/orders", { body: {} });
      const headers = {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      };
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const agent = await app.http.inject({ method: "POST", url: "/mcp", headers, payload: message });
      return [...new Set([...read, written.status, agent.statusCode])];
    };
    const released = (copy: TestDatabase, otherUrls: string[]) =>
      releaseCopy({ ...SINGLE, isOneOfSeveral: true, cells: 2, url: copy.ownerUrl, otherUrls, before: ANY_TIME });

    test("answers nothing but 503 for the moved venue, before its release and after it; others are served after it", async () => {
      const app = await open(copy, 0);
      expect([await answersOf(app, mover), await answersOf(app, stays)]).toEqual([[503], [503]]);
      const ready = await app.ops.inject("/readyz");
      expect([ready.statusCode, ready.json()]).toMatchObject([503, { status: "not ready", sending: "off" }]);

      await expect(released(copy, [])).rejects.toThrow("CELL_DATABASE_URLS (0 of 1 are there)");
      expect(await answersOf(app, mover)).toEqual([503]);
      expect(await released(copy, [cells[1].ownerUrl])).toMatchObject({
        compared_cells: [1],
        away: [{ slug: "mover", home: 1, epoch: 1 }],
        missing: [],
        skipped_ids: expect.arrayContaining(["token_ids"]),
      });
      for (let attempt = 0; attempt < 200 && app.deps.outbound.state() !== "on"; attempt++) await sleep(50);
      expect(await answersOf(app, mover)).toEqual([503]);
      expect((await app.call(stays.token, "GET", "/items")).status).toBe(200);
      expect(await copy.asOwner("select from items where restaurant_id = $1", [mover.id])).toEqual([]);
      // A number that was given out after the copy was made is in the other cell: it is not given out again.
      const numberOf = (token: string): number => Number(token.split("|")[0]);
      expect(numberOf(await app.token(stays.slug))).toBeGreaterThan(numberOf(lateToken));
      expect((await apps[1].call(lateToken, "GET", "/items")).status).toBe(200);
      await app.close();
    });

    test("planted fault: without the comparison of identities it answers for the venue that has moved", async () => {
      await removeCheck(second);
      const app = await open(second, 0);
      expect((await app.call(mover.token, "GET", "/items")).status).toBe(200);
      await app.close();
    });
  });
});
