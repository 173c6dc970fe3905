/** The change stream of a paired screen: when it last spoke, and what changed. It is opened again when it ends or falls silent. */
import { SCREEN_STREAM_PATH } from "@comanda/contract/console/change-areas.ts";
import { useEffect, useEffectEvent } from "react";
import { addressOf } from "#kit/api.ts";
import { ageOf, stampNow } from "#kit/stamps.ts";

/** The server beats every two seconds. */
const SILENCE_MS_MAX = 6000;
const CHECK_EVERY_MS = 1000;
/** EventSource reconnects after a lost connection, but not after an error status. */
const RECONNECT_MS = 5000;
const WANTED_AREAS: readonly string[] = ["tickets", "screens", "all"];

/** Without a list of areas everything may have changed. */
export const concernsScreen = (data: string): boolean => {
  try {
    const areas: unknown = JSON.parse(data);
    return !Array.isArray(areas) || areas.some((area) => WANTED_AREAS.includes(area as string));
  } catch {
    return true;
  }
};

const listeners = new Set<() => void>();
let heard = stampNow();

const hear = (): void => {
  heard = stampNow();
  for (const listener of listeners) listener();
};

/** Each beat and each change. */
export const onStreamHeard = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** How long the stream has said nothing. */
export const readSilenceMs = (): number => ageOf(heard);

export const isStreamSilent = (): boolean => readSilenceMs() >= SILENCE_MS_MAX;

/** `onChanged` is also called when changes may have been missed: after each new connection, and when one ends or is refused. */
const openScreenStream = (onChanged: () => void): (() => void) => {
  let source: EventSource | null = null;
  let tried = stampNow();
  const connect = (): void => {
    source?.close();
    tried = stampNow();
    source = new EventSource(addressOf(SCREEN_STREAM_PATH));
    source.addEventListener("open", onChanged);
    source.addEventListener("beat", hear);
    source.addEventListener("changed", ({ data }: MessageEvent<string>) => {
      hear();
      if (concernsScreen(data)) onChanged();
    });
    // The server also ends the stream of a screen that was ended: the next reading says so.
    source.addEventListener("error", onChanged);
  };
  const check = (): void => {
    const isClosed = source?.readyState === EventSource.CLOSED;
    if ((isClosed || isStreamSilent()) && ageOf(tried) >= (isClosed ? RECONNECT_MS : SILENCE_MS_MAX)) connect();
  };
  heard = stampNow();
  connect();
  const timer = setInterval(check, CHECK_EVERY_MS);
  return () => {
    clearInterval(timer);
    source?.close();
  };
};

export const useScreenStream = (onChanged: () => void): void => {
  const notify = useEffectEvent(onChanged);
  useEffect(() => openScreenStream(() => notify()), []);
};
