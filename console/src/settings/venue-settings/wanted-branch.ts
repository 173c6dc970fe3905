import type { VenueBranch, WantedBranch } from "@comanda/contract/console/venue-settings.ts";

/** A stored branch as it is saved again: its key names it. */
export const wantedOf = ({ id: _, ...branch }: VenueBranch): WantedBranch => branch;
