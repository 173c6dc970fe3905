/** The connection behind a change stream: opened again when the server refuses or ends it. */
import { CHANGE_AREAS, CHANGE_STREAM_PATH, type ChangeArea } from "@comanda/contract/console/change-areas.ts";
import { addressOf } from "#kit/api.ts";
import type { StreamMessage } from "./change-stream.ts";

/** EventSource reconnects after a lost connection, but not after an error status. */
const RECONNECT_MS = 30_000;

const readAreas = (text: string): ChangeArea[] | null => {
  const named: unknown = JSON.parse(text);
  return Array.isArray(named) ? CHANGE_AREAS.filter((area) => named.includes(area)) : null;
};

export const openChangeSource = (venue: string, tell: (message: StreamMessage) => void): (() => void) => {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = (): void => {
    source = new EventSource(addressOf(CHANGE_STREAM_PATH, { venue }));
    source.addEventListener("beat", () => tell({ kind: "beat" }));
    source.addEventListener("changed", ({ data }: MessageEvent<string>) => tell({ kind: "changed", areas: readAreas(data) }));
    source.addEventListener("error", () => {
      tell({ kind: "lost" });
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(connect, RECONNECT_MS);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
};
