/** A process that gets a signal to stop while it starts ends as one that serves: nothing is cut off, and its exit code is 0. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFleet, type Fleet } from "../support/processes.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

/** Written when the health check answers for the first time, before the roles start. */
const FIRST_SIGN = "The process answers its operator";

let app: TestApp;
let fleet: Fleet;

beforeAll(async () => {
  app = await startApp();
  fleet = await createFleet(app.database.appUrl);
});
afterAll(async () => {
  await fleet.close();
  await app.close();
});

test.each(["api", "worker", "all"])(
  "SIGTERM as soon as the health check of %s answers: exit code 0, after the start has ended",
  async (role) => {
    const file = new URL("../../src/main.ts", import.meta.url).pathname;
    const server = await fleet.start({}, { file, parameters: [role], readySign: FIRST_SIGN });
    expect(await server.stop(), server.output()).toBe(0);
    expect(server.output()).toContain("stopping");
  },
);
