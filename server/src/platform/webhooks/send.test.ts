/** The sender against real sockets: hostile receivers, bad certificates, and addresses that must never be dialled. */

import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthority, createCertificate } from "../../../test/certificates.ts";
import { answer, createLocalSender, hang, type Manners, type Receiver, startReceiver } from "../../../test/receiver.ts";
import { BLOCKED, PUBLIC } from "../../../test/special-addresses.ts";
import { createSender, type Outcome, type Sender, type SenderOptions } from "./send.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const SHORT_DEADLINE_MS = 600;

let receiver: Receiver;
let canary: Server;
let canaryPort: number;
let canaryHits = 0;
const senders: Sender[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  canary = createServer((socket) => {
    canaryHits++;
    socket.destroy();
  });
  // On all addresses of this machine, IPv6 included where there is one.
  await new Promise<void>((resolve, reject) => {
    canary.once("error", reject);
    canary.listen({ port: 0, host: "::", ipv6Only: false }, resolve);
  }).catch(() => new Promise<void>((resolve) => canary.listen(0, "0.0.0.0", resolve)));
  canaryPort = (canary.address() as AddressInfo).port;
});
afterAll(async () => {
  await Promise.all(senders.map((sender) => sender.close()));
  await receiver.close();
  canary.close();
});

const kept = (sender: Sender): Sender => {
  senders.push(sender);
  return sender;
};
const local = (options: SenderOptions = {}): Sender => kept(createLocalSender(receiver.authority.cert, options));
const post = (sender: Sender, url = receiver.url): Promise<Outcome> => sender.send({ url, headers: { "X-Test": "1" }, body: "{}" });

describe("what a receiver may do", () => {
  test("R6.1-04 2xx is success: the body, the headers and the host's name arrive, the beginning of the answer is kept", async () => {
    receiver.behave(answer(204));
    expect(await post(local())).toMatchObject({ status: 204, failure: null, excerpt: "", sentence: "Delivered." });
    receiver.behave(answer(200, {}, "x".repeat(5000)));
    const outcome = await post(local());
    expect(outcome.excerpt).toBe("x".repeat(1024));
    const last = receiver.received.at(-1);
    expect(last).toMatchObject({ body: "{}", headers: { "x-test": "1", host: new URL(receiver.url).host } });
  });

  test("connections are kept: twenty messages to a host need no more than four", async () => {
    const ports = new Set<number>();
    receiver.behave((request, response) => {
      ports.add(request.socket.remotePort ?? 0);
      response.end("ok");
    });
    const sender = local();
    for (let round = 0; round < 20; round++) expect((await post(sender)).failure).toBeNull();
    expect(ports.size).toBeLessThanOrEqual(4);
  });

  const statuses: [number, string][] = [
    [300, "redirect"],
    [301, "redirect"],
    [302, "redirect"],
    [307, "redirect"],
    [308, "redirect"],
    [304, "redirect"],
    [400, "status"],
    [404, "status"],
    [410, "status"],
    [429, "status"],
    [500, "status"],
    [503, "status"],
    [599, "status"],
  ];
  for (const [status, failure] of statuses)
    test(`D178 T5.5 ${status} is a failure and leads nowhere else`, async () => {
      const before = receiver.received.length;
      receiver.behave(answer(status, { Location: `${receiver.url}/elsewhere`, "Retry-After": "1" }));
      expect(await post(local())).toMatchObject({ status, failure });
      expect(receiver.received.length - before).toBe(1);
    });

  /** What each does to us, and what we make of it. All end at the deadline or before. */
  const hostile: Record<string, { manners: Manners; failure: string | null }> = {
    "hang before the status": { manners: hang, failure: "timeout" },
    "drip a body of 200, a byte at a time": {
      manners: (_request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("."), 50);
        response.on("close", () => clearInterval(timer));
      },
      failure: null,
    },
    "drip a body of 500": {
      manners: (_request, response) => {
        response.writeHead(500);
        const timer = setInterval(() => response.write("."), 50);
        response.on("close", () => clearInterval(timer));
      },
      failure: "status",
    },
    "answer without end": {
      manners: (_request, response) => {
        const flood = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 120)));
          if (!response.destroyed) response.once("drain", flood);
        };
        flood();
      },
      failure: null,
    },
    "send a bomb of zeros, compressed": {
      manners: (_request, response) => {
        response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(Buffer.alloc(20_000_000)));
      },
      failure: null,
    },
    "send 10,000 headers": {
      manners: (_request, response) => {
        for (let index = 0; index < 10_000; index++) response.setHeader(`X-Header-${index}`, "x".repeat(20));
        response.end();
      },
      failure: "answer",
    },
    "reset before the status": { manners: (request) => void request.socket.destroy(), failure: "connection" },
    "reset within the body": {
      manners: (request, response) => {
        response.writeHead(200, { "Content-Length": "1000" }).write("half");
        setTimeout(() => request.socket.destroy(), 20);
      },
      failure: null,
    },
    "answer with something that is not HTTP": {
      manners: (request) => void request.socket.end("SSH-2.0-OpenSSH_9.0\r\n\r\n"),
      failure: "answer",
    },
    "offer an upgrade": {
      manners: (request) => void request.socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
      failure: "connection",
    },
  };
  for (const [what, { manners, failure }] of Object.entries(hostile))
    test(`T5.4 a receiver may ${what}`, async () => {
      receiver.behave(manners);
      const before = process.memoryUsage().rss;
      const outcome = await post(local({ deadlineMs: SHORT_DEADLINE_MS }));
      expect(outcome.failure).toBe(failure);
      expect(outcome.durationMs).toBeLessThan(SHORT_DEADLINE_MS + 500);
      expect(outcome.excerpt.length).toBeLessThanOrEqual(1024);
      expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000);
    });

  test("T5.4 the deadline of the service itself is ten seconds, over all parts together", async () => {
    receiver.behave((_request, response) => {
      setTimeout(() => response.writeHead(500).write("late"), 6000);
    });
    const outcome = await post(local());
    expect(outcome).toMatchObject({ status: 500, failure: "status" });
    expect(outcome.durationMs).toBeGreaterThan(9500);
    expect(outcome.durationMs).toBeLessThan(10_500);
  });

  test("T5.4 a name that is never resolved ends at the deadline too", async () => {
    const sender = local({ deadlineMs: SHORT_DEADLINE_MS, resolve: () => new Promise(() => undefined) });
    expect(await post(sender)).toMatchObject({ failure: "timeout", status: null });
  });

  test("a name that does not exist, and a port where nobody listens", async () => {
    const sender = kept(createSender());
    expect((await post(sender, "https://nowhere.invalid/")).failure).toBe("dns");
    expect((await post(local(), "https://pos.test:1/")).failure).toBe("connection");
  });
});

describe("T5.4 certificates", () => {
  const bad: Record<string, () => Parameters<typeof startReceiver>[0]> = {
    "self-signed": () => ({ certificate: createCertificate(["pos.test"]) }),
    "by an authority we do not know": () => ({ certificate: createCertificate(["pos.test"], { issuer: createAuthority() }) }),
    "for another host": () => ({ certificate: createCertificate(["other.test"], { issuer: receiver.authority }) }),
    "out of date": () => ({
      certificate: createCertificate(["pos.test"], { issuer: receiver.authority, validUntil: new Date(Date.now() - DAY_MS) }),
    }),
  };
  for (const [what, given] of Object.entries(bad))
    test(`${what}: refused before a byte of the message is sent`, async () => {
      const imposter = await startReceiver(given());
      expect(await post(local(), imposter.url)).toMatchObject({ failure: "tls", status: null });
      expect(imposter.received).toEqual([]);
      await imposter.close();
    });
});

describe("D179 T5.6 addresses that are not public", () => {
  const toUrl = (address: string) => `https://${address.includes(":") ? `[${address}]` : address}:${canaryPort}/`;

  test(`${BLOCKED.length} special addresses as literals: none is dialled`, async () => {
    expect(BLOCKED.length).toBeGreaterThanOrEqual(150);
    canaryHits = 0;
    const sender = kept(createSender({ deadlineMs: 1000 }));
    const outcomes = await Promise.all(BLOCKED.map((address) => post(sender, toUrl(address))));
    expect(BLOCKED.filter((_, index) => outcomes[index]?.failure !== "blocked_address")).toEqual([]);
    expect(canaryHits).toBe(0);
  });

  test("the same as answers of a name server, alone and beside a public one", async () => {
    canaryHits = 0;
    const family = (address: string) => (address.includes(":") ? 6 : 4);
    const reached: string[] = [];
    for (const address of BLOCKED)
      for (const addresses of [[address], ["93.184.215.14", address], [address, "93.184.215.14"]]) {
        const resolve = async () => addresses.map((entry) => ({ address: entry, family: family(entry) }));
        const sender = createSender({ deadlineMs: 1000, resolve });
        const { failure } = await post(sender, `https://receiver.example:${canaryPort}/`);
        if (failure !== "blocked_address") reached.push(`${addresses} ${failure}`);
        await sender.close();
      }
    expect(reached).toEqual([]);
    expect(canaryHits).toBe(0);
  });

  const written = ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost", "localhost."];
  for (const host of written)
    test(`https://${host} is loopback however it is written`, async () => {
      canaryHits = 0;
      const { failure } = await post(kept(createSender()), `https://${host}:${canaryPort}/`);
      expect(["blocked_address", "dns"]).toContain(failure);
      expect(canaryHits).toBe(0);
    });

  test("what is not https, or holds a user name, is refused unread", async () => {
    const sender = kept(createSender());
    const urls = ["http://example.com/", "ftp://example.com/", "https://user@example.com/", "https://u:p@example.com/", "example.com", ""];
    for (const url of urls) expect((await post(sender, url)).failure, url).toBe("address");
  });

  test("a name that is public when asked first and loopback when asked again: 1000 flips, no connection inside", async () => {
    canaryHits = 0;
    let asked = 0;
    // 198.51.100.1 stands for a public address here, and nothing answers there.
    const isPublic = (address: string) => address === "198.51.100.1";
    const resolve = async () => [asked++ % 2 === 0 ? { address: "127.0.0.1", family: 4 } : { address: "198.51.100.1", family: 4 }];
    const sender = kept(createSender({ deadlineMs: 20, resolve, isPublic }));
    for (let flip = 0; flip < 1000; flip += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => post(sender, `https://h${flip + index}.example:${canaryPort}/`)));
    expect(asked).toBeGreaterThanOrEqual(1000);
    expect(canaryHits).toBe(0);
  });

  test("planted: with the literal unchecked, or the answer of the name server, the canary is hit", async () => {
    canaryHits = 0;
    const blind = kept(createSender({ isPublic: () => true, deadlineMs: 1000 }));
    await post(blind, `https://127.0.0.1:${canaryPort}/`);
    await post(blind, `https://localhost:${canaryPort}/`);
    expect(canaryHits).toBeGreaterThanOrEqual(2);
  });

  test("the connected address is looked at as well: a message does not leave when it turns out not to be public", async () => {
    const before = receiver.received.length;
    let looks = 0;
    // Says yes to what was resolved and no to what was connected.
    const sender = local({ isPublic: () => looks++ === 0 });
    expect((await post(sender)).failure).toBe("blocked_address");
    expect(receiver.received.length).toBe(before);
  });

  test(`${PUBLIC.length} public addresses are not blocked`, async () => {
    const { isPublicAddress } = await import("./rules.ts");
    expect(PUBLIC.filter((address) => !isPublicAddress(address))).toEqual([]);
    expect(BLOCKED.filter((address) => isPublicAddress(address))).toEqual([]);
  });
});
