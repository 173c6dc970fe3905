/** The venue as a file: taken out, compared and put in. */
import type { FileComparison } from "@comanda/contract/console/venue-file.ts";
import { call } from "#kit/api.ts";
import { useWrite } from "#kit/write.ts";

/** The server has the same limit. */
export const FILE_LENGTH_MAX = 3 * 1024 * 1024;

export type VenueExport = { version: string; text: string };

export const exportVenue = async (venue: string): Promise<VenueExport> => {
  const { version, file } = (await call("exportVenueFile", { params: { venue } })).data;
  return { version, text: `${JSON.stringify(file, null, 2)}\n` };
};

/** `former` is the venue as it was compared, so that it can be put back. */
export type ComparedFile = { fileName: string; text: string; comparison: FileComparison; former: VenueExport };

/** A colleague may change the venue between the two answers: then they are asked for again. */
export const compareFile = async (venue: string, fileName: string, text: string): Promise<ComparedFile> => {
  const former = await exportVenue(venue);
  const comparison = (await call("compareVenueFile", { params: { venue }, body: { text } })).data;
  if (former.version !== comparison.version) return compareFile(venue, fileName, text);
  return { fileName, text, comparison, former };
};

export const useImportFile = (venue: string, onDone: (version: string) => void) => {
  const { write, isPending, error } = useWrite<"importVenueFile">({
    // Everything.
    readAgain: [[]],
    onDone: ({ data }) => onDone(data.version),
    // The page says it itself.
    onChanged: () => null,
    onRefused: () => undefined,
  });
  const put = (seen_version: string, text: string): void =>
    write({ id: "importVenueFile", params: { venue }, body: { seen_version, text } });
  return { put, isPending, error };
};
