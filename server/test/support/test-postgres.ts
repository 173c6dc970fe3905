/** The PostgreSQL of this test file, which starts when the first test asks. */
import { expect, inject } from "vitest";
import { type SharedPostgres, sharedPostgres } from "./shared-by-files.ts";

/** Many files share a process. */
const asked = new Map<string, Promise<SharedPostgres>>();

export const testPostgres = (): Promise<SharedPostgres> => {
  const which = inject("filesOnOldestPostgres").includes(expect.getState().testPath ?? "") ? "oldest" : "usual";
  const answer = asked.get(which) ?? sharedPostgres(which);
  asked.set(which, answer);
  answer.catch(() => asked.delete(which));
  return answer;
};
