import { readFileSync } from "node:fs";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { parseVenueFile } from "#venue/setup/venue-file/service.ts";

/** The venue file that every sandbox starts with, and that a reset restores. */
export const readSandboxSample = (): VenueFile =>
  parseVenueFile(readFileSync(new URL("../../samples/sandbox.json", import.meta.url), "utf8"));

let known: VenueFile | undefined;

/** Read for the first call that needs it, not at the start: checking a venue file takes a tenth of a start. No caller may change it. */
export const knownSandboxSample = (): VenueFile => (known ??= readSandboxSample());
