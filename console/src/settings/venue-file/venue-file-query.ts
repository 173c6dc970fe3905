/** The venue as a file: taken out, compared and put in. */
import type { FileComparison } from "@comanda/contract/console/venue-file.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CallError, call, isWorthRetrying } from "../../api.ts";

/** As the server bounds it. */
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

export const hasChangedSince = (error: unknown): boolean => error instanceof CallError && error.code === "state_changed";

type FileWrite = { seen_version: string; text: string; idempotencyKey: string };

export const useImportFile = (venue: string, onDone: (version: string) => void) => {
  const queryClient = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async ({ idempotencyKey, ...body }: FileWrite) =>
      (await call("importVenueFile", { params: { venue }, body, idempotencyKey })).data,
    retry: isWorthRetrying,
    onSuccess: async ({ version }) => {
      onDone(version);
      await queryClient.invalidateQueries();
    },
  });
  const put = (seen_version: string, text: string): void => mutate({ seen_version, text, idempotencyKey: crypto.randomUUID() });
  return { put, isPending, error, reset };
};
