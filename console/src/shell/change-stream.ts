/**
 * The changes of one venue, by one stream of server-sent events for all tabs of the browser, which allows six connections to a host. The
 * tab that holds a Web Lock opens the stream and notifies the others. When it is silent, another tab takes the lock. Without a stream the
 * pages poll.
 */
import { CHANGE_AREAS, type ChangeArea } from "@comanda/contract/console/change-areas.ts";
import { ageOf, stampNow } from "#kit/stamps.ts";
import { openChangeSource } from "./change-source.ts";

export type ChangedAreas = ReadonlySet<ChangeArea>;

const ALL_AREAS: ChangedAreas = new Set(CHANGE_AREAS);
/** The server beats every two seconds. After this silence the stream counts as lost, and a visible tab opens another. */
const SILENCE_MS_MAX = 6000;
const CHECK_EVERY_MS = 1000;

/** A message of the tab with the stream to the others. Areas are null when all may have changed. */
export type StreamMessage = { kind: "beat" } | { kind: "lost" } | { kind: "changed"; areas: ChangeArea[] | null };

const listeners = new Set<(areas: ChangedAreas) => void>();
let heardStreams = 0;
let lastHeard = stampNow();

/** How long ago the stream last spoke. The pages show what was true then. */
export const readHeardAge = (): number => ageOf(lastHeard);

export const onAreasChanged = (listener: (areas: ChangedAreas) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** A polling interval for React Query: false while a stream is heard. */
export const pollUnlessStreaming = (everyMs: number): number | false => (heardStreams > 0 ? false : everyMs);

const notify = (areas: ChangedAreas): void => {
  for (const listener of listeners) listener(areas);
};

/** Keeps the stream of a venue open, in this tab or another. Returns a function that ends it for this tab. */
export const keepStreamOpen = (venue: string): (() => void) => {
  const hearing = createHearing();
  // The pages of this venue load now.
  lastHeard = stampNow();
  const channel = new BroadcastChannel(`comanda-changes-${venue}`);
  channel.addEventListener("message", ({ data }: MessageEvent<StreamMessage>) => hearing.hear(data));
  const source = holdStream(venue, (message) => {
    channel.postMessage(message);
    hearing.hear(message);
  });
  const timer = setInterval(() => {
    if (hearing.isSilent() && document.visibilityState === "visible") source.takeOver();
  }, CHECK_EVERY_MS);
  return () => {
    clearInterval(timer);
    source.close();
    channel.close();
    hearing.end();
  };
};

/** Whether a stream is heard in this tab. */
const createHearing = () => {
  let isHeard = false;
  let last = stampNow();
  const setHeard = (isNowHeard: boolean): void => {
    if (isHeard === isNowHeard) return;
    isHeard = isNowHeard;
    heardStreams += isNowHeard ? 1 : -1;
    // Changes of the time without a stream were not announced. Queries also read their polling interval again.
    notify(ALL_AREAS);
  };
  return {
    hear(message: StreamMessage): void {
      last = stampNow();
      if (message.kind !== "lost") lastHeard = last;
      setHeard(message.kind !== "lost");
      if (message.kind === "changed") notify(message.areas === null ? ALL_AREAS : new Set(message.areas));
    },
    isSilent(): boolean {
      if (ageOf(last) < SILENCE_MS_MAX) return false;
      setHeard(false);
      last = stampNow();
      return true;
    },
    end(): void {
      if (isHeard) heardStreams -= 1;
      isHeard = false;
    },
  };
};

/** Opens the stream when this tab has the lock. `takeOver` takes the lock from a tab that is silent, or opens the own stream again. */
const holdStream = (venue: string, tell: (message: StreamMessage) => void): { takeOver(): void; close(): void } => {
  const ended = new AbortController();
  const request = (options: LockOptions): void => {
    let closeSource: (() => void) | null = null;
    const held = navigator.locks.request(`comanda-changes-${venue}`, options, () => {
      if (ended.signal.aborted) return;
      closeSource = openChangeSource(venue, tell);
      return new Promise<void>((resolve) => ended.signal.addEventListener("abort", () => resolve(), { once: true }));
    });
    // Rejected when another request took the lock, or when this page ends its wait.
    held
      .catch(() => {
        if (!ended.signal.aborted && !options.steal) request({ signal: ended.signal });
      })
      .finally(() => closeSource?.());
  };
  request({ signal: ended.signal });
  return { takeOver: () => request({ steal: true }), close: () => ended.abort() };
};
