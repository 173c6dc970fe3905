/**
 * Passwords are hashed cheaply in the processes of the tests, which make hundreds of accounts: a hash takes 50 ms of a core. Files whose
 * first comment has `@real-passwords` hash as the service does. So do processes that tests start.
 */
import { readFileSync } from "node:fs";
import { beforeAll, expect } from "vitest";
import { PASSWORD_COST } from "#lib/passwords.ts";

const REAL = { memory: 19_456, passes: 2 };
/** The least that argon2 accepts. */
const CHEAP = { memory: 8, passes: 1 };

const isReal = (path: string): boolean => /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(path, "utf8"))?.[0].includes("@real-passwords") ?? false;

// Many files share a process, so each sets it.
beforeAll(() => {
  Object.assign(PASSWORD_COST, isReal(expect.getState().testPath ?? "") ? REAL : CHEAP);
});
