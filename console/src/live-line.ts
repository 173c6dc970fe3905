/** The open line to a venue: the server says which area has changed, the pages that show it ask anew. Without a line they ask by the clock. */
import { LIVE_AREAS, LIVE_PATH, type LiveArea } from "@comanda/contract/live.ts";
import { addressOf } from "./api.ts";

export type News = ReadonlySet<LiveArea>;

const EVERYTHING: News = new Set(LIVE_AREAS);
/** The browser tries again by itself when a line breaks, but not when it was refused. */
const TRY_AGAIN_MS = 30_000;
/** A browser has six connections for all its tabs; one that nobody looks at shall not hold one for long. */
const HIDDEN_MS = 20_000;

const listeners = new Set<(news: News) => void>();
let openLines = 0;

export const onNews = (listener: (news: News) => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** How often to ask where no line says when. */
export const unlessLive = (everyMs: number): number | false => (openLines > 0 ? false : everyMs);

const tell = (news: News): void => {
  for (const listener of listeners) listener(news);
};

const readNews = (text: string): News => {
  const named: unknown = JSON.parse(text);
  return new Set(LIVE_AREAS.filter((area) => Array.isArray(named) && named.includes(area)));
};

/** Keeps a line to a venue while somebody looks; the returned function ends it. */
export const keepLine = (venue: string): (() => void) => {
  let hangUp: (() => void) | null = null;
  let later: ReturnType<typeof setTimeout> | undefined;
  const dial = (): void => {
    if (document.visibilityState === "visible") hangUp ??= openLine(venue, refused);
  };
  const refused = (): void => {
    hangUp = null;
    later = setTimeout(dial, TRY_AGAIN_MS);
  };
  const rest = (): void => {
    hangUp?.();
    hangUp = null;
  };
  const onVisibility = (): void => {
    clearTimeout(later);
    if (document.visibilityState === "visible") dial();
    else later = setTimeout(rest, HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", onVisibility);
  dial();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    clearTimeout(later);
    rest();
  };
};

const openLine = (venue: string, onRefused: () => void): (() => void) => {
  const source = new EventSource(addressOf(LIVE_PATH, { venue }));
  let isOpen = false;
  const turn = (isNowOpen: boolean): void => {
    if (isOpen === isNowOpen) return;
    isOpen = isNowOpen;
    openLines += isNowOpen ? 1 : -1;
  };
  source.addEventListener("open", () => {
    turn(true);
    // What happened before it was open has been told to nobody.
    tell(EVERYTHING);
  });
  source.addEventListener("changed", ({ data }: MessageEvent<string>) => tell(readNews(data)));
  source.addEventListener("error", () => {
    const wasOpen = isOpen;
    turn(false);
    // Asked once more, they go by the clock again.
    if (wasOpen) tell(EVERYTHING);
    if (source.readyState === EventSource.CLOSED) onRefused();
  });
  return () => {
    turn(false);
    source.close();
  };
};
