/** A move in a process of its own that ends itself, without tidying up, when it has come to the phase STOP_AT. */
import { type MovePhase, moveVenue } from "../src/cells/move.ts";
import { openProxy, tellProxy } from "../src/cells/proxy-map.ts";
import { readMoveConfig } from "../src/config.ts";

const { SLUG = "", STOP_AT = "", PROXY = "" } = process.env;

const moved = await moveVenue({
  ...readMoveConfig(process.env),
  slug: SLUG,
  onPhase: (phase: MovePhase) => {
    if (phase === STOP_AT) process.kill(process.pid, "SIGKILL");
  },
  onOpen: async (homes) => {
    if (PROXY !== "") await tellProxy(await openProxy(PROXY), homes);
  },
});
process.stdout.write(`${JSON.stringify(moved)}\n`);
