/** Moves a venue in a process of its own, which kills itself at the phase STOP_AT. */
import { moveVenue } from "../../../cells/src/move.ts";
import type { MovePhase } from "../../../cells/src/move-session.ts";
import { openProxy, updateProxy } from "../../../cells/src/proxy-map.ts";
import { readMoveConfig } from "../../src/config.ts";

const { SLUG = "", STOP_AT = "", PROXY = "", LATE_READS_MS } = process.env;

const moved = await moveVenue({
  ...readMoveConfig(process.env),
  slug: SLUG,
  ...(LATE_READS_MS === undefined ? {} : { lateReadsMs: Number(LATE_READS_MS) }),
  onPhase: (phase: MovePhase) => {
    if (phase === STOP_AT) process.kill(process.pid, "SIGKILL");
  },
  onOpen: async (homes) => {
    if (PROXY !== "") await updateProxy(await openProxy(PROXY), homes);
  },
});
process.stdout.write(`${JSON.stringify(moved)}\n`);
