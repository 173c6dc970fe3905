/** Clients that follow the event feed of each venue through the kills: the same position until its answer is complete. */
import { setTimeout as sleep } from "node:timers/promises";
import { askFeed } from "../../support/event-feed.ts";
import type { KillVenue } from "./fixtures.ts";
import type { History } from "./stored-history.ts";
import { differences, type Verification } from "./verifier.ts";

const WAIT_SECONDS = 2;
const AGAIN_AFTER_MS = 60;
const TYPES = ["order.created", "order.status_changed"];

type FollowedVenue = { venue: KillVenue; ids: string[]; strange: string[] };

export type FeedFollowers = {
  /** Reads on until nothing is left, and adds what the feed lacks or sent twice. */
  verify(verdict: Pick<Verification, "lost" | "doubled" | "wrong">, readEvents: () => Promise<History["events"]>): Promise<void>;
  close(): void;
};

export const startFollowers = (port: number, venues: readonly KillVenue[]): FeedFollowers => {
  let [isOver, isClosed] = [false, false];
  const url = `http://127.0.0.1:${port}/api/v1/events`;
  const follow = async (followed: FollowedVenue): Promise<void> => {
    let after: string | null = null;
    while (!isClosed) {
      // Read before the call: what is answered empty afterwards is the end.
      const isLast = isOver;
      const query: Record<string, string | number> = {
        types: TYPES.join(","),
        limit: 20,
        wait: isLast ? 0 : WAIT_SECONDS,
        ...(after === null ? {} : { after }),
      };
      const answer = await askFeed(url, followed.venue.token, query).catch(() => null);
      if (answer?.status === 200) {
        followed.ids.push(...answer.body.data.map(({ id }) => id));
        after = answer.body.meta.cursor;
        if (isLast && !answer.body.meta.has_more) return;
      } else {
        if (answer && answer.status !== 503) followed.strange.push(`GET /events → ${answer.status} ${answer.text}`);
        await sleep(AGAIN_AFTER_MS);
      }
    }
  };
  const all = venues.map((venue) => ({ venue, ids: [], strange: [] }) as FollowedVenue);
  const running = all.map(follow);
  return {
    async verify({ lost, doubled, wrong }, readEvents) {
      isOver = true;
      await Promise.all(running);
      const events = (await readEvents()).filter(({ type }) => TYPES.includes(type));
      for (const { venue, ids, strange } of all) {
        const stored = events.filter(({ restaurant_id }) => restaurant_id === String(venue.id)).map(({ id }) => id);
        const { missing, surplus } = differences(stored, ids);
        lost.push(...missing.map((id) => `not in the feed: event ${id}`));
        doubled.push(...surplus.map((id) => `told twice by the feed: event ${id}`));
        wrong.push(...strange);
      }
    },
    close() {
      isClosed = true;
    },
  };
};
