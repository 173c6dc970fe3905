/** Clients of the event feed over real sockets, and events of every type. */
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { EVENT_TYPES, type EventType, type VenueEvent } from "@comanda/contract/events/envelope.ts";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import type { App } from "../../src/compose/api.ts";
import type { Ctx } from "../../src/lib/context.ts";
import { emit, emitTo } from "../../src/platform/events/service.ts";

export type FeedBody = {
  data: { id: string; type: EventType; restaurant: { id: number } }[];
  meta: { count: number; cursor: string; has_more: boolean; cursors: string[] };
};
export type FeedAnswer = { status: number; headers: Headers; text: string; body: FeedBody & { error: { code: string; details: object } } };

/** One event of each type; the ping is to this address. */
export const emitEveryType = (ctx: Ctx, endpointId: number): void => {
  for (const type of EVENT_TYPES)
    if (type === "ping") emitTo(ctx, endpointId, type, EVENT_SAMPLES[type].data);
    else emit(ctx, type as VenueEvent, EVENT_SAMPLES[type].data as never);
};

export const listenFor = async ({ http }: App): Promise<string> => {
  if (!http.server.listening) await http.listen({ host: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/api/v1/events`;
};

const searchOf = (query: object): URLSearchParams =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));

export const askFeed = async (url: string, token: string, query: object = {}, signal?: AbortSignal): Promise<FeedAnswer> => {
  const response = await fetch(`${url}?${searchOf(query)}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as FeedAnswer["body"] };
};

/** Every page from the position on, until there is no more. */
export const readAll = async (url: string, token: string, query: { after?: string; types?: string; limit?: number }): Promise<FeedBody> => {
  const all: FeedBody["data"] = [];
  const cursors: string[] = [];
  for (let after = query.after; ; ) {
    const { status, body, text } = await askFeed(url, token, { ...query, ...(after === undefined ? {} : { after }) });
    if (status !== 200) throw new Error(`${status} ${text}`);
    all.push(...body.data);
    cursors.push(...body.meta.cursors);
    after = body.meta.cursor;
    if (!body.meta.has_more) return { data: all, meta: { ...body.meta, count: all.length, cursors } };
  }
};

export type StreamedEvent = { id: string; data: string };
export type FeedStream = { status: number; text(): string; events(): StreamedEvent[]; lastId(): string; isEnded(): boolean; close(): void };

/** `id` without data moves the position only. */
const blocksOf = (text: string): { id: string; data: string | null }[] =>
  text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => {
      const id = /^id: (.*)$/m.exec(block)?.[1];
      return id === undefined ? [] : [{ id, data: /^data: (.*)$/m.exec(block)?.[1] ?? null }];
    });

export const openFeedStream = (url: string, token: string, query: object = {}, headers: object = {}): Promise<FeedStream> =>
  new Promise((resolve, reject) => {
    const search = searchOf(query);
    const sent = { authorization: `Bearer ${token}`, accept: "text/event-stream", ...headers };
    const call = request(`${url}?${search}`, { headers: sent, agent: false }, (answer) => {
      let [text, isEnded] = ["", false];
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => {
        isEnded = true;
      });
      answer.on("error", () => undefined);
      resolve({
        status: answer.statusCode ?? 0,
        text: () => text,
        events: () => blocksOf(text).flatMap(({ id, data }) => (data === null ? [] : [{ id, data }])),
        lastId: () => blocksOf(text).at(-1)?.id ?? "",
        isEnded: () => isEnded,
        close: () => call.destroy(),
      });
    });
    call.once("error", reject);
    call.end();
  });
