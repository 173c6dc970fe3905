import { apiOperationEntries } from "@comanda/contract/operations.ts";
import type { Handlers } from "#http/api/operations.ts";
import { one } from "#http/reply.ts";
import { orderSandboxFaults } from "./service/acts.ts";
import { moveSandboxClock } from "./service/clock.ts";
import { runAct } from "./service/run-act.ts";

const OPERATIONS = apiOperationEntries.flatMap(([id, operation]) => (operation.onlyInSandbox ? [] : [id]));

export const sandboxControlRoutes: Pick<Handlers, "runSandboxAct" | "moveSandboxClock" | "orderSandboxFaults"> = {
  runSandboxAct: async (ctx, { body }) => one(await runAct(ctx, body())),
  moveSandboxClock: async (ctx, { body }) => one(await moveSandboxClock(ctx, body())),
  orderSandboxFaults: async (ctx, { body }) => one(await orderSandboxFaults(ctx, body(), OPERATIONS)),
};
