/** The processes of a scenario: servers and workers. Each is started again as soon as it is killed. */
import type { Fleet, Program, ServerProcess } from "../../support/processes.ts";
import type { CrashingPostgres } from "./crashing-postgres.ts";

export type ProcessRole = "api" | "worker";

export type SupervisedProcess = {
  role: ProcessRole;
  /** Null while the next one is on its way. */
  current: ServerProcess | null;
  readySince: number;
  coming: Promise<void>;
};

export type Supervisor = {
  posts: SupervisedProcess[];
  /** SIGKILL. The next one starts at once, or when `next` says so. */
  kill(post: SupervisedProcess, next?: Promise<unknown>): Promise<void>;
  /** SIGTERM without a restart; returns the exit code. */
  dismiss(post: SupervisedProcess): Promise<number | null>;
  raise(post: SupervisedProcess): Promise<void>;
  allReady(): Promise<void>;
  /** Processes that ended although nothing stopped them. */
  deserters: string[];
};

export type SupervisorSettings = {
  fleet: Fleet;
  postgres: CrashingPostgres;
  programs: Record<ProcessRole, Program>;
  /** Asked at every start. */
  environment(role: ProcessRole): Record<string, string>;
  processes?: readonly ProcessRole[];
};

const PROCESSES: ProcessRole[] = ["api", "api", "worker", "worker"];
/** A start that falls into a crash of the database fails, and is tried again as any process manager does it. */
const STARTS_MAX = 20;

export const startSupervisor = async (wanted: SupervisorSettings): Promise<Supervisor> => {
  const { fleet, postgres, programs, environment, processes = PROCESSES } = wanted;
  const deserters: string[] = [];
  const raise = (post: SupervisedProcess): Promise<void> => {
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
    // Callers that await it see the failure; without one, it must not end the process.
    post.coming.catch(() => undefined);
    return post.coming;
  };
  const leave = (post: SupervisedProcess): ServerProcess | null => {
    const { current } = post;
    if (current && !current.isRunning()) deserters.push(`a ${post.role} ended by itself:\n${current.output().slice(-2000)}`);
    post.current = null;
    return current;
  };
  const posts = processes.map((role): SupervisedProcess => ({ role, current: null, readySince: 0, coming: Promise.resolve() }));
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
