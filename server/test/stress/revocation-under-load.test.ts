/** Tokens are revoked in the console while they are in use over two processes: no request that begins afterwards gets in. */
import { Agent } from "node:http";
import { fileURLToPath } from "node:url";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser } from "../support/console-client.ts";
import { addToken } from "../support/many-tokens.ts";
import { API, createFleet, type Fleet, freePort, type Program } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const REVOCATIONS = process.env.TEST_STRESS ? 1000 : 60;
const REQUESTS_PER_REVOCATION = 10;
/** Fewer than a process has places, so that none is shed however slow the machine is. */
const CALLERS = 8;
/** The callers use tokens that are revoked next and tokens that were revoked last. */
const [COMING, GONE] = [20, 20];

const TOKEN_CACHING_API: Program = {
  file: fileURLToPath(new URL("../support/token-caching-server.ts", import.meta.url)),
  readySign: "Server listening at",
};

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let cookie: string;

beforeAll(async () => {
  app = await startApp();
  // The processes use the real time.
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  cookie = (await createUser(app, lab.slug, "owner")).cookie;
  fleet = await createFleet(app.database.appUrl, { UNAUTHENTICATED_RATE_PER_MINUTE: "1000000" });
});
afterAll(async () => {
  await fleet.close();
  await app.close();
});

type HeldToken = { id: number; token: string; askedAt: number; revokedAt: number };

const makeTokens = (count: number): Promise<HeldToken[]> =>
  forVenue(app.deps, lab.slug, async (ctx) => {
    const wanted = { kind: "api" as const, name: "short-lived", scopes: ["menu:read" as const], ratePerMinute: 1_000_000, expiresAt: null };
    const made: HeldToken[] = [];
    for (let number = 0; number < count; number++)
      made.push({ ...(await addToken(ctx, wanted)), askedAt: Number.POSITIVE_INFINITY, revokedAt: Number.POSITIVE_INFINITY });
    return made;
  });

type RevocationFigures = {
  revoked: number;
  requests: number;
  /** Answered with 503 by a busy machine, and tried again where that matters. */
  shed: number;
  before: number;
  after: number;
  late: number;
  odd: string[];
};

const startProcesses = async (program: Program): Promise<number[]> => {
  const ports = [await freePort(), await freePort()];
  await Promise.all(ports.map((port) => fleet.start({ PORT: String(port), REUSE_PORT: "false" }, program)));
  return ports;
};

/** Every request is judged by when it began: after the answer to the revocation there is nothing but 401. */
const revokeUnderLoad = async (program: Program, count: number): Promise<RevocationFigures> => {
  const [ports, tokens] = [await startProcesses(program), await makeTokens(count)];
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const figures: RevocationFigures = { revoked: 0, requests: 0, shed: 0, before: 0, after: 0, late: 0, odd: [] };
  const portOf = (turn: number): number => ports[turn % ports.length] ?? 0;
  /** Tokens that were revoked a moment ago are tried on every process before any other. */
  const urgent: { held: HeldToken; port: number }[] = [];

  const revoke = async (index: number): Promise<void> => {
    const held = tokens[index] as HeldToken;
    held.askedAt = performance.now();
    const headers = { cookie: `__Host-comanda=${cookie}`, "sec-fetch-site": "same-origin", "content-type": "application/json" };
    const path = `/venues/${lab.slug}/tokens/${held.id}`;
    const { status, text } = await sendCall({
      port: portOf(index),
      agent,
      token: null,
      method: "DELETE",
      prefix: CONSOLE_PREFIX,
      path,
      headers,
    });
    held.revokedAt = performance.now();
    if (status === 200) figures.revoked++;
    else figures.odd.push(`revocation: ${status} ${text}`);
    urgent.push(...ports.map((port) => ({ held, port })));
  };

  const use = async (index: number): Promise<void> => {
    const current = tokens.findIndex(({ askedAt }) => askedAt === Number.POSITIVE_INFINITY);
    const window = tokens.slice(Math.max(0, (current < 0 ? count : current) - GONE), (current < 0 ? count : current) + COMING);
    const { held, port } = urgent.shift() ?? { held: window[(index >> 1) % window.length] as HeldToken, port: portOf(index) };
    const [beganAt, isGone] = [performance.now(), held.revokedAt !== Number.POSITIVE_INFINITY];
    const { status } = await sendCall({ port, agent, token: held.token, method: "GET", path: "/categories" });
    figures.requests++;
    if (status === 503) {
      figures.shed++;
      if (isGone) urgent.push({ held, port });
      return;
    }
    if (isGone && beganAt >= held.revokedAt) {
      figures.after++;
      if (status !== 401) figures.late++;
    } else if (performance.now() < held.askedAt) {
      figures.before++;
      if (status !== 200) figures.odd.push(`before its revocation: ${status}`);
    }
  };

  // Twenty revocations' worth of requests beforehand, so that a cache is filled, and a few afterwards.
  const all = (count + COMING) * REQUESTS_PER_REVOCATION;
  const revoking: Promise<void>[] = [];
  let asked = 0;
  const caller = async (): Promise<void> => {
    while (asked < all) {
      const wanted = Math.floor(asked / REQUESTS_PER_REVOCATION) - COMING;
      if (revoking.length < Math.min(count, wanted)) revoking.push(revoke(revoking.length));
      await use(asked++);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  while (revoking.length < count) revoking.push(revoke(revoking.length));
  await Promise.all(revoking);
  // On a busy machine revocations are answered late. Every revoked token is tried on every process all the same.
  while (urgent.length > 0) await use(0);
  agent.destroy();
  return figures;
};

test(`R5.1-04 ${REVOCATIONS} revocations in the console beside ${REQUESTS_PER_REVOCATION} requests each over two processes: none gets in later`, {
  timeout: REVOCATIONS * 200 + 60_000,
}, async () => {
  const figures = await revokeUnderLoad(API, REVOCATIONS);
  console.info(`revocations: ${JSON.stringify(figures)}`);
  expect(figures).toMatchObject({ revoked: REVOCATIONS, late: 0, odd: [] });
  expect(figures.after).toBeGreaterThanOrEqual(REVOCATIONS * 2);
  expect(figures.before).toBeGreaterThanOrEqual(REVOCATIONS);
});

test("planted: processes that cache tokens for a second accept them after revocation", async () => {
  const figures = await revokeUnderLoad(TOKEN_CACHING_API, 30);
  console.info(`revocations, with a memory of a second: ${JSON.stringify(figures)}`);
  expect(figures.revoked).toBe(30);
  expect(figures.late).toBeGreaterThan(0);
});
