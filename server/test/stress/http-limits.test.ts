/** Slow, huge, malformed and hostile clients over real sockets: each is refused cheaply and does not slow others. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Item } from "@comanda/contract/venue/menu.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerProblems } from "../../../conformance/answer-check.ts";
import { buildApp } from "../../src/compose/api.ts";
import { routes } from "../../src/compose/handlers.ts";
import { exchange, openSocket, parseAnswers, sendCall, type WireAnswer } from "../support/raw-http.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const MIB = 1024 * 1024;
const LONG = Boolean(process.env.TEST_STRESS);
const SLOW_SOCKETS = Number(process.env.TEST_SLOW_SOCKETS ?? (LONG ? 2000 : 50));
/** What the service allows, and how long it may be before it looks. The short form allows a fifth. */
const [HEAD_MS, BODY_MS, LOOK_MS] = [5000, 10_000, 1000];
const SHARE = LONG ? 1 : 0.2;
const DRIP_MS = LONG ? 500 : 100;
/** A slow client sends as often as its timer fires. On a busy machine that is less often, as the server then looks later. */
const dripsMax = (ms: number): number => Math.ceil((ms * SHARE + 1.5 * LOOK_MS) / DRIP_MS);
const CONNECTED_AT_ONCE = 25;
/** Sixteen of these are more than the buffers between two sockets hold while the client does not read: 4 MiB and a little. */
const LARGE_ANSWER = MIB;

let app: TestApp;
let lab: TestVenue;
let port: number;

beforeAll(async () => {
  // The slow sockets of the long form come from one address.
  app = await startApp({ environment: { SOCKETS_PER_ADDRESS_MAX: "5000" } });
  lab = await app.venue("lab");
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = app.app.http.server.address() as AddressInfo);
});
afterAll(() => app.close());

type Head = { method?: string; path?: string; token?: string | null; version?: string; headers?: string[] };

/** The first lines of a request under /api/v1, closed after its answer unless the headers say otherwise. */
const head = ({
  method = "GET",
  path = "/menus",
  token = lab.token,
  version = "1.1",
  headers = ["Connection: close"],
}: Head = {}): string =>
  [
    `${method} /api/v1${path} HTTP/${version}`,
    "Host: x",
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    ...headers,
    "\r\n",
  ].join("\r\n");

/** One request, one answer, which has passed every check that holds for all answers. */
const ask = async (wanted: Head, body: string | Buffer = ""): Promise<WireAnswer> => {
  const [answer] = await exchange(port, Buffer.concat([Buffer.from(head(wanted), "latin1"), Buffer.from(body)]));
  if (!answer) throw new Error(`${wanted.method} ${wanted.path} was not answered`);
  const { method = "GET", path = "/menus", token = lab.token } = wanted;
  expect(answerProblems({ method, path, token }, answer), `${method} ${path} → ${answer.status} ${answer.text.slice(0, 200)}`).toEqual([]);
  return answer;
};

const codeOf = (answer: WireAnswer): string => (answer.body as { error: { code: string } }).error.code;

const jsonHeaders = (length: number): string[] => ["Connection: close", "Content-Type: application/json", `Content-Length: ${length}`];

describe("slow clients", () => {
  test("headers that never end are cut off after 5 s, a body that never ends after 10 s, and others are served meanwhile", async () => {
    const { http, stop } = await buildApp(app.deps);
    await http.listen({ host: "127.0.0.1", port: 0 });
    const { server } = http;
    const { port } = server.address() as AddressInfo;
    expect([server.headersTimeout, server.requestTimeout]).toEqual([HEAD_MS, BODY_MS]);
    let accepted = 0;
    server.on("connection", () => accepted++);
    server.headersTimeout *= SHARE;
    server.requestTimeout *= SHARE;
    const drip = (begin: string) => {
      const { socket, closed, received } = openSocket(port);
      socket.write(begin);
      let drips = 0;
      const timer = setInterval(() => {
        if (!socket.writable) return;
        drips++;
        socket.write("a");
      }, DRIP_MS);
      return closed.then((ms) => {
        clearInterval(timer);
        return { ms, drips, received: received() };
      });
    };
    const slowHeads: ReturnType<typeof drip>[] = [];
    while (slowHeads.length < SLOW_SOCKETS) {
      slowHeads.push(drip("GET /api/v1/menus HTTP/1.1\r\nHost: x\r\nX-Slow: "));
      // Opened all at once, most would be refused before they are accepted, and none of those is a slow client.
      if (slowHeads.length % CONNECTED_AT_ONCE === 0) await sleep(10);
    }
    await expect.poll(() => accepted).toBeGreaterThan(SLOW_SOCKETS * 0.9);
    const slowBody = drip(head({ method: "POST", path: "/items", headers: jsonHeaders(1000) }));
    let [served, isOver] = [0, false];
    const allHeads = Promise.all(slowHeads).finally(() => {
      isOver = true;
    });
    for (; !isOver; await sleep(20)) {
      expect((await sendCall({ port, token: lab.token, method: "GET", path: "/menus" })).status).toBe(200);
      served++;
    }
    const [heads, body] = [await allHeads, await slowBody];
    await stop();
    const longest = Math.max(...heads.map(({ ms }) => ms));
    console.log(
      `${SLOW_SOCKETS} slow heads closed after ≤ ${longest.toFixed(0)} ms, slow body after ${body.ms.toFixed(0)} ms, ${served} normal requests meanwhile`,
    );
    expect(served).toBeGreaterThan(5);
    expect(Math.min(...heads.map(({ ms }) => ms))).toBeGreaterThan(HEAD_MS * SHARE * 0.9);
    for (const { received } of [...heads, body]) expect(received === "" ? 408 : parseAnswers(received)[0]?.status).toBe(408);
    expect(Math.max(...heads.map(({ drips }) => drips))).toBeLessThanOrEqual(dripsMax(HEAD_MS));
    expect(body.drips).toBeLessThanOrEqual(dripsMax(BODY_MS));
  });

  test("a client that hangs up in the middle of a body is no failure of ours", async () => {
    const { socket, closed } = openSocket(port);
    socket.write(`${head({ method: "POST", path: "/items", headers: jsonHeaders(1000) })}{"name":`);
    await sleep(100);
    socket.resetAndDestroy();
    await closed;
    expect((await ask({})).status).toBe(200);
  });
});

describe("clients who do not read", () => {
  test("a client that stops reading a large answer is cut off, one that reads slowly gets all of it", async () => {
    const [item] = (await app.call(lab.token, "GET", "/items?per_page=1")).body.data;
    const getItem: typeof routes.getItem = async (ctx, input) => {
      const { data, ...rest } = await routes.getItem(ctx, input);
      return { ...rest, data: { ...(data as Item), description: "x".repeat(LARGE_ANSWER) } };
    };
    const large = await buildApp(app.deps, { handlers: { ...routes, getItem } });
    await large.http.listen({ host: "127.0.0.1", port: 0 });
    const { server } = large.http;
    const { port } = server.address() as AddressInfo;
    expect(server.timeout).toBe(30_000);
    server.timeout = 1000;
    try {
      const ask = (connection: string) => head({ path: `/items/${item.id}`, headers: [`Connection: ${connection}`] });
      const asked = (times: number) => ask("keep-alive").repeat(times - 1) + ask("close");
      const countOpen = () => promisify(server.getConnections.bind(server))();
      const connectDeaf = async () => {
        const deaf = connect({ host: "127.0.0.1", port });
        deaf.on("error", () => undefined).pause();
        deaf.write(asked(16));
        await expect.poll(countOpen).toBe(1);
        return deaf;
      };
      const deaf = await connectDeaf();
      const begin = performance.now();
      await expect.poll(countOpen, { timeout: 60_000 }).toBe(0);
      console.info(`a client that does not read was cut off after ${(performance.now() - begin).toFixed(0)} ms, allowed 1000`);
      const slow = connect({ host: "127.0.0.1", port });
      let bytes = 0;
      slow.on("data", (part: Buffer) => {
        bytes += part.length;
        slow.pause();
        setTimeout(() => slow.resume(), 10);
      });
      slow.write(asked(15));
      await once(slow, "close");
      expect(bytes).toBeGreaterThan(15 * LARGE_ANSWER);
      // Planted: a server without the limit goes on waiting.
      server.timeout = 0;
      const destroyed = await connectDeaf();
      await sleep(2500);
      expect(await countOpen()).toBe(1);
      destroyed.destroy();
      deaf.destroy();
    } finally {
      await large.http.close();
    }
  });
});

describe("sizes", () => {
  const oversize = Buffer.alloc(MIB + 1, 0x20);

  test("D15 413 for a body of 1 MiB and one byte, 422 or better for 1 MiB exactly", async () => {
    const tooLarge = await ask({ method: "POST", path: "/items", headers: jsonHeaders(MIB + 1) }, oversize);
    expect([tooLarge.status, codeOf(tooLarge)]).toEqual([413, "payload_too_large"]);
    const largest = await ask({ method: "POST", path: "/items", headers: jsonHeaders(MIB) }, oversize.subarray(1));
    expect([largest.status, codeOf(largest)]).toEqual([422, "validation_failed"]);
  });

  test("D27 401, not 413, for the same body without a token", async () => {
    const refused = await ask({ method: "POST", path: "/items", token: null, headers: jsonHeaders(MIB + 1) }, oversize);
    expect(refused.status).toBe(401);
  });

  test("D15 413 for a body that is announced as huge and never sent, and for one that grows in chunks", async () => {
    const announced = await ask({ method: "POST", path: "/items", headers: jsonHeaders(10 ** 12) });
    expect(announced.status).toBe(413);
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, 0x20), Buffer.from("\r\n")]);
    const headers = ["Connection: close", "Content-Type: application/json", "Transfer-Encoding: chunked"];
    const grown = await ask({ method: "POST", path: "/items", headers }, Buffer.concat(Array.from({ length: 17 }, () => chunk)));
    expect([grown.status, codeOf(grown)]).toEqual([413, "payload_too_large"]);
  });

  test("500,000 nested brackets are refused in under 200 ms", async () => {
    for (const text of ["[".repeat(500_000), '{"a":'.repeat(200_000), `{"name":${"[".repeat(400_000)}${"]".repeat(400_000)}}`]) {
      const before = process.cpuUsage();
      const answer = await ask({ method: "POST", path: "/items", headers: jsonHeaders(text.length) }, text);
      const { user, system } = process.cpuUsage(before);
      expect([answer.status, Object.keys((answer.body as { error: { details: object } }).error.details)]).toEqual([422, ["body"]]);
      expect((user + system) / 1000).toBeLessThan(200);
    }
  });

  test("431 for headers of more than 16 KiB, in number or in length, and the next client is served", async () => {
    for (const bomb of [`X-Bomb: ${"a".repeat(17_000)}`, Array.from({ length: 3000 }, (_, n) => `X-${n}: 1`).join("\r\n")]) {
      const answers = await exchange(port, head({ headers: ["Connection: close", bomb] }));
      expect(answers.map(({ status }) => status)).toEqual([431]);
      expect((await ask({})).status).toBe(200);
    }
  });

  test("a target of more than 16 KiB is refused, one of 8 KiB is an unknown path", async () => {
    expect((await exchange(port, head({ path: `/${"a".repeat(17_000)}` }))).map(({ status }) => status)).toEqual([431]);
    expect((await ask({ path: `/${"a".repeat(8000)}` })).status).toBe(404);
    expect((await ask({ path: `/items/${"1".repeat(8000)}` })).status).toBe(404);
  });
});

describe("framing", () => {
  const body = '{"is_available":true}';
  const hidden = `GET /api/v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n`;
  const attacks: Record<string, string[]> = {
    "Content-Length and Transfer-Encoding": [`Content-Length: ${body.length}`, "Transfer-Encoding: chunked"],
    "Transfer-Encoding and Content-Length": ["Transfer-Encoding: chunked", "Content-Length: 4"],
    "two different Content-Lengths": ["Content-Length: 5", `Content-Length: ${body.length}`],
    "the same Content-Length twice": [`Content-Length: ${body.length}`, `Content-Length: ${body.length}`],
    "a list of Content-Lengths": ["Content-Length: 5, 5"],
    "a signed Content-Length": ["Content-Length: +5"],
    "a negative Content-Length": ["Content-Length: -1"],
    "a hexadecimal Content-Length": ["Content-Length: 0x5"],
    "an unknown Transfer-Encoding": ["Transfer-Encoding: xchunked"],
    "chunked that is not last": ["Transfer-Encoding: chunked, identity"],
    "a space before the colon": ["Transfer-Encoding : chunked"],
    "a folded header": ["X-Fold: a", " Transfer-Encoding: chunked"],
    "a bare line feed": ["X-Bare: a\nTransfer-Encoding: chunked"],
    "a header without a colon": ["Nonsense"],
    "a NUL in a header": ["X-Nul: a\0b"],
  };

  for (const [name, headers] of Object.entries(attacks))
    test(`400 for ${name}, the connection is closed and nothing after it is read`, async () => {
      const answers = await exchange(port, `${head({ method: "PUT", path: "/items/1/availability", headers })}0\r\n\r\n${hidden}`);
      expect(answers.map(({ status }) => status)).toEqual([400]);
    });

  test("a chunk size that is no number ends the connection", async () => {
    const bytes = `${head({ method: "POST", path: "/items", headers: ["Transfer-Encoding: chunked"] })}zz\r\n{}\r\n0\r\n\r\n${hidden}`;
    expect((await exchange(port, bytes)).every(({ status }) => status === 400)).toBe(true);
  });

  test("pipelined requests are answered one by one, in order", async () => {
    const paths = ["/menus", "/items?per_page=1", "/nothing", "/categories", "/items/0"];
    const bytes = paths.map((path, index) => head({ path, headers: index === 4 ? ["Connection: close"] : [] })).join("");
    const answers = await exchange(port, bytes);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 404]);
    expect(answers[1]?.body).toHaveProperty("meta.per_page", 1);
    expect(answers[3]?.body).toHaveProperty("meta.count");
  });

  test("a client that sends without waiting for answers gets sixteen, and loses its connection", async () => {
    const answers = await exchange(port, head({ path: "/items?per_page=1", headers: [] }).repeat(200));
    expect(answers.length).toBeLessThanOrEqual(16);
    expect(
      (await exchange(port, head({ path: "/items?per_page=1", headers: [] }).repeat(15) + head({ headers: ["Connection: close"] }))).length,
    ).toBe(16);
  });

  test("HTTP/1.0 is answered and closed; older, newer and no HTTP at all is never served", async () => {
    expect((await ask({ version: "1.0", headers: [] })).status).toBe(200);
    for (const noise of [
      "GET /api/v1/menus\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      randomBytes(512),
      "\u0016\u0003\u0001\u0002\u0000\u0001",
    ]) {
      const answers = await exchange(port, noise, { waitMs: 300 });
      // A request line without a version is HTTP/0.9, which has no room for a token.
      expect(answers.every(({ status }) => status === 400 || status === 401)).toBe(true);
    }
    expect((await ask({})).status).toBe(200);
  });

  test("Expect: 100-continue is honoured before the body, and refused bodies are not asked for", async () => {
    const headers = [...jsonHeaders(2), "Expect: 100-continue"];
    expect((await ask({ method: "POST", path: "/items", headers }, "{}")).status).toBe(422);
  });
});

describe("paths and methods", () => {
  test("D16 a path that cannot be decoded is 404 with a token and 401 without", async () => {
    for (const path of ["/%", "/%zz", "/items/%c3%28", "/items/%", "/items/1%", "/items/%ff"]) {
      expect([path, (await ask({ path })).status]).toEqual([path, 404]);
      expect([path, (await ask({ path, token: null })).status]).toEqual([path, 401]);
    }
  });

  test("D16 D17 405 with Allow for a known path with another method", async () => {
    const allowed: [string, string][] = [
      ["/items", "GET, HEAD, POST"],
      ["/items/1", "GET, HEAD, PATCH"],
      ["/items/1/availability", "PUT"],
      ["/menus", "GET, HEAD"],
    ];
    for (const [path, allow] of allowed)
      for (const method of ["OPTIONS", "DELETE", "TRACE"]) {
        const answer = await ask({ method, path });
        expect([method, path, answer.status, answer.headers.get("allow")]).toEqual([method, path, 405, allow]);
        expect((await ask({ method, path, token: null })).status).toBe(401);
      }
  });

  test("D16 methods of other protocols are refused like any other, and methods of none end the connection", async () => {
    for (const method of ["PROPFIND", "PURGE", "M-SEARCH", "QUERY"]) {
      expect([method, [404, 405].includes((await ask({ method })).status)]).toEqual([method, true]);
      expect([method, (await ask({ method, token: null })).status]).toEqual([method, 401]);
    }
    for (const method of ["get", "BREW", "G\0T"]) {
      const answers = await exchange(port, head({ method }));
      expect([method, answers.map(({ status }) => status)]).toEqual([method, [400]]);
    }
  });

  test("D16 404, not 405, for a path that only looks like a known one", async () => {
    for (const path of [
      "/x/../items",
      "/./items",
      "//items",
      "/items/1/../2",
      "/Items",
      "/items;a=b",
      "/\\items",
      "/items/1/availability/x",
    ])
      expect([path, (await ask({ path })).status]).toEqual([path, 404]);
  });

  test("D17 HEAD is GET without its body", async () => {
    for (const path of ["/menus", "/items?per_page=2", "/items/0", "/nothing"]) {
      const get = await ask({ path });
      const { socket, closed, received } = openSocket(port);
      socket.write(head({ method: "HEAD", path }));
      await closed;
      const [answer] = parseAnswers(received(), { isHead: true });
      expect([path, answer?.status, answer?.text]).toEqual([path, get.status, ""]);
      for (const name of ["content-type", "content-length", "x-ratelimit-limit", "cache-control"])
        expect([path, name, answer?.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
    }
  });
});
