/** The tables of a venue, and the write that saves those of one branch. */
import type { VenueFloor, WantedFloor } from "@comanda/contract/console/floor.ts";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { CallError, call, isWorthRetrying } from "../../api.ts";

export const floorQuery = (venue: string) =>
  queryOptions({
    queryKey: ["floor", venue],
    queryFn: async () => (await call("readFloor", { params: { venue } })).data,
  });

type FloorChanged = { floor: VenueFloor; changed_by: string | null };

/** The state that another person saved meanwhile. Null for any other error. */
export const readFloorChanged = (error: unknown): FloorChanged | null =>
  error instanceof CallError && error.code === "state_changed" ? (error.details as FloorChanged) : null;

type SaveFloorOptions = { onSaved: (floor: VenueFloor) => void; onRefused: (error: Error) => void };

export const useSaveFloor = (venue: string, { onSaved, onRefused }: SaveFloorOptions) => {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (input: { body: WantedFloor; idempotencyKey: string }) => call("saveFloor", { params: { venue }, ...input }),
    retry: isWorthRetrying,
    onSuccess: ({ data }) => {
      queryClient.setQueryData(floorQuery(venue).queryKey, data);
      onSaved(data);
    },
    onError: onRefused,
  });
  return { save: (body: WantedFloor): void => mutate({ body, idempotencyKey: crypto.randomUUID() }), isPending };
};
