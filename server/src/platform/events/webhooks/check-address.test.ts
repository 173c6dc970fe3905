/** The check of an address before it is used: each step has its own time, and a fault shows at its step. */
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { CheckStep } from "@comanda/contract/console/webhooks.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthority } from "../../../../test/support/certificates.ts";
import { freePort } from "../../../../test/support/processes.ts";
import { answer, createLocalSender, type Receiver, startReceiver } from "../../../../test/support/webhook-receiver.ts";
import { createSender, type Sender, type SenderOptions } from "./send/sender.ts";
import { checkAddress } from "./service/messages.ts";

const NAME_MS = 120;
const ANSWER_MS = 180;

let receiver: Receiver;
const open: Sender[] = [];
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  for (const sender of open) await sender.close();
  await receiver.close();
});

const kept = (sender: Sender): Sender => {
  open.push(sender);
  return sender;
};
const local = (options: SenderOptions = {}): Sender => kept(createLocalSender(receiver.authority.cert, options));

/** Writes the steps as `https+ dns+ public-`, with the code of the last. */
const told = (steps: CheckStep[]): string =>
  `${steps.map(({ step, is_good }) => step + (is_good ? "+" : "-")).join(" ")} ${steps.at(-1)?.reason.code}`;

const slowly = (): Sender =>
  local({
    resolve: async () => {
      await sleep(NAME_MS);
      return [{ address: "127.0.0.1", family: 4 }];
    },
  });

/** Steps whose time differs from the delay they were given, and the part of the total that no step has. */
const faultsOfTimes = async (sender: Sender): Promise<string[]> => {
  receiver.behave((_request, response) => void setTimeout(() => response.writeHead(204).end(), ANSWER_MS));
  const begin = performance.now();
  const steps = await checkAddress(sender, receiver.url);
  const wholeMs = performance.now() - begin;
  receiver.behave(answer(200));
  const msOf = (name: CheckStep["step"]): number => steps.find(({ step }) => step === name)?.ms ?? -1;
  const sum = steps.reduce((total, { ms }) => total + ms, 0);
  const faults = { dns: NAME_MS, tls: 1, ping: ANSWER_MS };
  return [
    ...Object.entries(faults)
      .filter(([step, ms]) => msOf(step as "dns") < ms - 2)
      .map(([step]) => `${step} took ${msOf(step as "dns")} ms`),
    ...(msOf("ping") >= wholeMs - NAME_MS + 2 ? ["the ping has the time of others"] : []),
    ...(Math.abs(sum - wholeMs) > 20 ? [`${sum} ms of ${Math.round(wholeMs)}`] : []),
  ];
};

test("every step has its own time, and together they make the total", async () => {
  const sender = slowly();
  expect(await faultsOfTimes(sender)).toEqual([]);
  // The second time has its own steps: a reused connection would resolve no name.
  expect(await faultsOfTimes(sender)).toEqual([]);
});

test("planted fault: a sender that reports no steps shows in the times", async () => {
  const { send, close } = slowly();
  const silent: Sender = { send: ({ onStep: _, ...parcel }) => send(parcel), close };
  expect((await faultsOfTimes(silent)).length).toBeGreaterThan(1);
});

test("a working address: five steps, and the receiver's status", async () => {
  const steps = await checkAddress(local(), receiver.url);
  expect(told(steps)).toBe("https+ dns+ public+ tls+ ping+ has_answered");
  expect(steps.map(({ reason }) => reason)).toEqual([
    { code: "is_https", values: {} },
    { code: "name_found", values: {} },
    { code: "is_public", values: {} },
    { code: "is_certified", values: {} },
    { code: "has_answered", values: { status: 200 } },
  ]);
});

test("a fault in the URL shows at the first step", async () => {
  const sender = kept(createSender());
  expect(told(await checkAddress(sender, "no address"))).toBe("https- not_url");
  expect(told(await checkAddress(sender, "http://example.com/"))).toBe("https- not_https");
  expect(told(await checkAddress(sender, "https://ada:secret@example.com/"))).toBe("https- user_info");
});

test.each(["10.0.0.1", "127.0.0.1", "127.1", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]", "[fd00::1]", "0x7f000001"])(
  "https://%s/ is https and needs no name, but it is not public",
  async (host) => {
    let sends = 0;
    const counting: Sender = { send: () => Promise.reject(new Error(`${++sends}`)), close: async () => undefined };
    const steps = await checkAddress(counting, `https://${host}/`);
    expect(told(steps)).toBe("https+ dns+ public- blocked_address");
    expect(steps[1]?.reason.code).toBe("is_literal");
    expect(sends).toBe(0);
  },
);

test("a name of a private address, an unknown name, and one that is private once connected", async () => {
  const inner = kept(createSender({ resolve: async () => [{ address: "10.0.0.1", family: 4 }] }));
  expect(told(await checkAddress(inner, "https://pos.test/"))).toBe("https+ dns+ public- blocked_address");
  const nameless = kept(createSender({ resolve: () => Promise.reject(new Error("unknown")) }));
  expect(told(await checkAddress(nameless, "https://pos.test/"))).toBe("https+ dns- dns");
  let looks = 0;
  const late = local({ isPublic: () => looks++ === 0 });
  expect(told(await checkAddress(late, receiver.url))).toBe("https+ dns+ public- blocked_address");
});

test("a public literal address is not resolved", async () => {
  const unasked = kept(createSender({ isPublic: () => false, resolve: () => Promise.reject(new Error("asked")) }));
  const steps = await checkAddress(unasked, "https://1.1.1.1/");
  expect(steps.map(({ reason }) => reason.code)).toEqual(["is_https", "is_literal", "blocked_address"]);
});

test("a closed port, the certificate of another host, no TLS: the connection fails", async () => {
  const closed = await freePort();
  expect(told(await checkAddress(local(), `https://pos.test:${closed}/`))).toBe("https+ dns+ public+ tls- connection");
  const untrusting = kept(createLocalSender(createAuthority().cert));
  expect(told(await checkAddress(untrusting, receiver.url))).toBe("https+ dns+ public+ tls- tls");
  const plain = createServer((socket) => void socket.on("error", () => undefined).end("hello\r\n"));
  await new Promise<void>((resolve) => plain.listen(closed, "127.0.0.1", resolve));
  expect(told(await checkAddress(local(), `https://pos.test:${closed}/`))).toMatch(/^https\+ dns\+ public\+ tls- /);
  plain.close();
});

test("a response that is not 2xx, or none: the ping fails, with the status", async () => {
  receiver.behave(answer(500));
  const refused = await checkAddress(local(), receiver.url);
  expect(told(refused)).toBe("https+ dns+ public+ tls+ ping- status");
  expect(refused.at(-1)?.reason.values).toEqual({ status: 500 });
  receiver.behave(answer(302, { Location: "/" }));
  expect((await checkAddress(local(), receiver.url)).at(-1)?.reason).toEqual({ code: "redirect", values: { status: 302 } });
  receiver.behave(() => undefined);
  const silent = await checkAddress(local({ deadlineMs: 400 }), receiver.url);
  expect(told(silent)).toBe("https+ dns+ public+ tls+ ping- timeout");
  expect(silent.at(-1)?.ms).toBeGreaterThan(300);
  receiver.behave((request) => void request.socket.destroy());
  expect(told(await checkAddress(local(), receiver.url))).toBe("https+ dns+ public+ tls+ ping- connection");
  receiver.behave(answer(200));
});
