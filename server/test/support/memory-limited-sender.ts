/**
 * A sender in a process of its own, so that nothing but its memory is weighed while receivers flood it. With `READS_ALL`
 * it is not the service's but one that keeps whole answers, to show that the scales work.
 */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { LookupFunction } from "node:net";
import { createLocalSender } from "./webhook-receiver.ts";

const { AUTHORITY = "", PORTS = "[]", ROUNDS = "1", READS_ALL } = process.env;
const WARM_UP_ROUNDS = 10;
const MB = 1_000_000;
const parcel = { headers: {}, body: '{"id":"1"}' };

const lookup: LookupFunction = (_host, { all }, callback) =>
  all ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4);

const readAll = async (url: string): Promise<void> => {
  const message = request(url, { method: "POST", ca: AUTHORITY, lookup, agent: false }).on("error", () => undefined);
  message.end(parcel.body);
  const [answer] = (await once(message, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  Buffer.concat(chunks);
};

const sender = createLocalSender(AUTHORITY);
const ports = JSON.parse(PORTS) as number[];
let [sends, slowestMs, peak] = [0, 0, 0];

const weigh = (): number => {
  const rss = process.memoryUsage.rss();
  peak = Math.max(peak, rss);
  return rss;
};
const sendRounds = async (rounds: number): Promise<void> => {
  for (let round = 0; round < rounds; round++)
    for (const port of ports) {
      const startedAt = performance.now();
      const url = `https://pos.test:${port}/`;
      await (READS_ALL === undefined ? sender.send({ url, ...parcel }) : readAll(url).catch(() => undefined));
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      sends++;
      weigh();
    }
};

await sendRounds(READS_ALL === undefined ? WARM_UP_ROUNDS : 0);
globalThis.gc?.();
const before = process.memoryUsage.rss();
[sends, slowestMs, peak] = [0, 0, before];
const scales = setInterval(weigh, 5);
await sendRounds(Number(ROUNDS));
clearInterval(scales);
globalThis.gc?.();
const growth = (bytes: number) => Math.round((bytes - before) / MB);
const weighed = { sends, slowestMs: Math.round(slowestMs), peakMb: growth(peak), keptMb: growth(process.memoryUsage.rss()) };
process.stdout.write(`${JSON.stringify(weighed)}\n`);
await sender.close();
