/** The processes of a storm: servers and workers, each in a place where another is started as soon as it is killed. */
import type { Fleet, Program, ServerProcess } from "../processes.ts";
import type { CrashingPostgres } from "./postgres.ts";

export type Role = "api" | "worker";

export type Post = {
  role: Role;
  /** Null while the next one is on its way. */
  current: ServerProcess | null;
  readySince: number;
  coming: Promise<void>;
};

export type Crew = {
  posts: Post[];
  /** SIGKILL. The next one starts at once, or when `next` says so. */
  kill(post: Post, next?: Promise<unknown>): Promise<void>;
  /** SIGTERM, and nobody follows; the exit code. */
  dismiss(post: Post): Promise<number | null>;
  raise(post: Post): Promise<void>;
  allReady(): Promise<void>;
  /** Processes that ended without being told to. */
  deserters: string[];
};

export type CrewWanted = {
  fleet: Fleet;
  postgres: CrashingPostgres;
  programs: Record<Role, Program>;
  /** Asked at every start. */
  environment(role: Role): Record<string, string>;
};

const PLACES: Role[] = ["api", "api", "worker", "worker"];
/** A start that falls into a crash of the database fails, and is tried again as any process manager does it. */
const STARTS_MAX = 20;

export const gatherCrew = async ({ fleet, postgres, programs, environment }: CrewWanted): Promise<Crew> => {
  const deserters: string[] = [];
  const raise = (post: Post): Promise<void> => {
    post.coming = (async () => {
      for (let starts = 1; post.current === null; starts++) {
        await postgres.ready();
        const started = await fleet.start(environment(post.role), programs[post.role]).catch((error: unknown) => {
          if (starts === STARTS_MAX) throw error;
          return null;
        });
        [post.current, post.readySince] = [started, performance.now()];
      }
    })();
    // Awaited by whoever needs it; a failure is theirs to see.
    post.coming.catch(() => undefined);
    return post.coming;
  };
  const leave = (post: Post): ServerProcess | null => {
    const { current } = post;
    if (current && !current.isRunning()) deserters.push(`a ${post.role} ended by itself:\n${current.output().slice(-2000)}`);
    post.current = null;
    return current;
  };
  const posts = PLACES.map((role): Post => ({ role, current: null, readySince: 0, coming: Promise.resolve() }));
  await Promise.all(posts.map(raise));
  return {
    posts,
    deserters,
    raise,
    async kill(post, next = Promise.resolve()) {
      await leave(post)?.kill();
      post.coming = next.then(() => raise(post));
      post.coming.catch(() => undefined);
    },
    async dismiss(post) {
      await post.coming;
      return (await leave(post)?.stop()) ?? null;
    },
    allReady: async () => void (await Promise.all(posts.map((post) => post.coming))),
  };
};
