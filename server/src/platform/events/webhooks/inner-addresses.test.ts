/** The sender reaches nothing in its own network: every special address, in every spelling and from every name server. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WRITTEN } from "../../../../test/support/address-spellings.ts";
import { type Canaries, openCanaries } from "../../../../test/support/canaries.ts";
import { BLOCKED, PUBLIC } from "../../../../test/support/reserved-addresses.ts";
import { createLocalSender, startReceiver } from "../../../../test/support/webhook-receiver.ts";
import { isPublicAddress, receiverFault } from "./rules/receiver-address.ts";
import type { PostOutcome } from "./send/post.ts";
import { createSender, type Sender, type SenderOptions } from "./send/sender.ts";

const PUBLIC_ADDRESS = "93.184.215.14";
const REFUSALS = new Set(["address", "blocked_address", "dns"]);

let canaries: Canaries;
beforeAll(async () => {
  canaries = await openCanaries();
});
afterAll(() => canaries.close());

const post = (sender: Sender, url: string): Promise<PostOutcome> => sender.send({ url, headers: { "X-Test": "1" }, body: "{}" });
const familyOf = (address: string) => (address.includes(":") ? 6 : 4);
const literal = (address: string) => `https://${address.includes(":") ? `[${address}]` : address}:PORT/`;

/** Sends to each target on the port of each canary. */
const attack = async (sender: Sender, targets: string[]): Promise<{ sends: number; notRefused: string[]; hits: number }> => {
  canaries.hits();
  const urls = canaries.ports.flatMap((port) => targets.map((target) => target.replace("PORT", String(port))));
  const outcomes = await Promise.all(urls.map((url) => post(sender, url)));
  const notRefused = urls.filter((_, index) => !REFUSALS.has(outcomes[index]?.failure ?? ""));
  return { sends: urls.length, notRefused, hits: canaries.hits() };
};

const withSender = async <T>(options: SenderOptions, work: (sender: Sender) => Promise<T>): Promise<T> => {
  const sender = createSender(options);
  try {
    return await work(sender);
  } finally {
    await sender.close();
  }
};

/** A name for each of these answers, and a resolver for them. */
const namesFor = (answers: string[][]) => {
  const known = new Map(answers.map((addresses, index) => [`h${index}.example`, addresses]));
  return {
    targets: [...known.keys()].map((name) => `https://${name}:PORT/`),
    resolve: async (host: string) => (known.get(host) ?? []).map((address) => ({ address, family: familyOf(address) })),
  };
};

test(`D179 T5.6 ${BLOCKED.length} special addresses and ${WRITTEN.length} ways to write them: no connection is opened`, async () => {
  const targets = [...new Set([...BLOCKED.map(literal), ...WRITTEN])];
  expect(targets.length).toBeGreaterThanOrEqual(300);
  const { sends, notRefused, hits } = await withSender({ deadlineMs: 2000 }, (sender) => attack(sender, targets));
  console.log(`${targets.length} distinct targets on ${canaries.ports.length} ports, ${sends} messages: ${hits} connections`);
  expect(notRefused).toEqual([]);
  expect(hits).toBe(0);
});

test("D179 T5.6 the same addresses as answers of a name server: alone, before a public one and after it", async () => {
  const answers = BLOCKED.flatMap((address) => [[address], [PUBLIC_ADDRESS, address], [address, PUBLIC_ADDRESS]]);
  const { targets, resolve } = namesFor(answers);
  const { sends, notRefused, hits } = await withSender({ deadlineMs: 2000, resolve }, (sender) => attack(sender, targets));
  console.log(`${targets.length} names on ${canaries.ports.length} ports, ${sends} messages: ${hits} connections`);
  expect(notRefused).toEqual([]);
  expect(hits).toBe(0);
});

/** Targets that this machine answers: the planted faults below must not send anything to other machines. */
const LOOPBACK = ["127.0.0.1", "127.0.0.53", "::1", "::ffff:127.0.0.1"];

test("D179 planted fault: a check in the look-up alone misses literals, one on literals alone misses names", async () => {
  const literals = LOOPBACK.map(literal);
  const { targets: names, resolve } = namesFor(LOOPBACK.map((address) => [address]));
  const inLookup = async (host: string) => {
    const addresses = await resolve(host);
    return addresses.every(({ address }) => isPublicAddress(address)) ? addresses : Promise.reject(new Error("blocked"));
  };
  await withSender({ isPublic: () => true, resolve: inLookup, deadlineMs: 2000 }, async (sender) => {
    expect((await attack(sender, names)).hits).toBe(0);
    expect((await attack(sender, literals)).hits).toBeGreaterThan(0);
  });
  await withSender({ isPublic: () => true, resolve, deadlineMs: 2000 }, async (blind) => {
    const onLiterals: Sender = {
      ...blind,
      send: (parcel) => blind.send(receiverFault(parcel.url) === null ? parcel : { ...parcel, url: "" }),
    };
    expect((await attack(onLiterals, literals)).hits).toBe(0);
    expect((await attack(onLiterals, names)).hits).toBeGreaterThan(0);
  });
});

test("D179 a private literal is refused when it is registered", () => {
  expect(BLOCKED.filter((address) => receiverFault(literal(address).replace("PORT", "443")) === null)).toEqual([]);
  expect(PUBLIC.filter((address) => receiverFault(literal(address).replace("PORT", "443")) !== null)).toEqual([]);
});

test(`${PUBLIC.length} public addresses, next to the special ones, are public; a text that is no address is not`, () => {
  expect(PUBLIC.filter((address) => !isPublicAddress(address))).toEqual([]);
  const odd = ["", " ", "8.8.8", "8.8.8.8 ", "08.8.8.8", "8.8.8.8.", "134744072", "0x8.8.8.8", "2a00::1%eth0", "[2a00::1]", "example.com"];
  expect(odd.filter(isPublicAddress)).toEqual([]);
});

/** Only Linux answers on all of 127.0.0.0/8; there 127.0.0.2 stands for an address outside. */
test.skipIf(process.platform !== "linux")(
  "D179 T5.6 a name that is outside and inside by turns: 1000 flips, no connection inside",
  async () => {
    const met = { inside: 0, outside: 0 };
    const listen = async (side: keyof typeof met, host: string, port = 0): Promise<Server> => {
      const server = createServer((socket) => {
        met[side]++;
        socket.destroy();
      }).listen(port, host);
      await once(server, "listening");
      return server;
    };
    const inside = await listen("inside", "127.0.0.1");
    const { port } = inside.address() as AddressInfo;
    const outside = await listen("outside", "127.0.0.2", port);
    const isPublic = (address: string) => address === "127.0.0.2";
    let asked = 0;
    const flip = async () => [{ address: asked++ % 2 === 0 ? "127.0.0.2" : "127.0.0.1", family: 4 }];
    const flips = (sender: Sender, count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => post(sender, `https://h${index}.example:${port}/`)));

    await withSender({ resolve: flip, isPublic }, (sender) => flips(sender, 1000));
    console.log(`${asked} answers: ${met.outside} connections outside, ${met.inside} inside`);
    expect(asked).toBe(1000);
    expect(met).toEqual({ inside: 0, outside: 500 });

    // Planted fault: it checks one answer and connects to another.
    const checkedOnce = async () => ((await flip()).every(({ address }) => isPublic(address)) ? flip() : []);
    await withSender({ resolve: checkedOnce, isPublic: () => true }, (sender) => flips(sender, 10));
    expect(met.inside).toBeGreaterThan(0);
    inside.close();
    outside.close();
  },
);

test("D179 the connected address is checked as well: nothing is sent when it is not the one that was checked", async () => {
  const receiver = await startReceiver();
  let looks = 0;
  // Accepts the resolved address and refuses the connected one.
  const sender = createLocalSender(receiver.authority.cert, { isPublic: () => looks++ === 0 });
  expect((await post(sender, receiver.url)).failure).toBe("blocked_address");
  expect(looks).toBe(2);
  expect(receiver.received).toEqual([]);
  await sender.close();
  await receiver.close();
});
