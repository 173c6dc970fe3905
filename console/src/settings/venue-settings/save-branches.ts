/** Writes of the restaurant and of its branches. Each puts the part that is stored then into the query of the settings. */
import type { RestaurantDetails, VenueBranch, VenueSettingParts, WantedBranch } from "@comanda/contract/console/venue-settings.ts";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CallError, call, isWorthRetrying } from "../../api.ts";
import { venueSettingsQuery } from "./venue-settings-query.ts";

type BranchesPart = VenueSettingParts["branches"];

const putPart = (client: QueryClient, venue: string, part: Partial<VenueSettingParts>): void =>
  void client.setQueryData(venueSettingsQuery(venue).queryKey, (known) => known && { ...known, ...part });

export const putBranches = (client: QueryClient, venue: string, branches: BranchesPart): void => putPart(client, venue, { branches });

type PartsChanged = Partial<VenueSettingParts> & { changed_by: string | null };

/** The parts that another person stored meanwhile. Null for any other error. */
export const readPartsChanged = (error: unknown): PartsChanged | null =>
  error instanceof CallError && error.code === "state_changed" ? (error.details as PartsChanged) : null;

/** Who was faster. */
export type LostRace = { who: string | null };

/** All branches as they are to be, or null: the page saw something else of what it changes. */
export type MergeBranches = (present: readonly VenueBranch[]) => WantedBranch[] | null;

type BranchesWrite = {
  body: { seen_version: string; branches: WantedBranch[] };
  idempotencyKey: string;
  merge: MergeBranches;
  isSecondTry: boolean;
};

/** What another page changed meanwhile, such as a closing day, is kept: the change is made again on top of it, once. */
export const useSaveBranches = (venue: string, onSaved: () => void) => {
  const queryClient = useQueryClient();
  const [lostTo, setLostTo] = useState<LostRace | null>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ body, idempotencyKey }: BranchesWrite) => call("saveBranches", { params: { venue }, body, idempotencyKey }),
    retry: isWorthRetrying,
    onSuccess: ({ data }) => {
      putBranches(queryClient, venue, data);
      onSaved();
    },
    onError: (refused, { merge, isSecondTry }) => {
      const lost = readPartsChanged(refused);
      if (!lost?.branches) return;
      putBranches(queryClient, venue, lost.branches);
      if (isSecondTry) setLostTo({ who: lost.changed_by });
      else send(lost.branches, merge, lost);
    },
  });
  const send = ({ version, value }: BranchesPart, merge: MergeBranches, lost: PartsChanged | null): void => {
    const branches = merge(value);
    if (branches === null) setLostTo({ who: lost?.changed_by ?? null });
    else mutate({ body: { seen_version: version, branches }, idempotencyKey: crypto.randomUUID(), merge, isSecondTry: lost !== null });
  };
  return {
    save: (present: BranchesPart, merge: MergeBranches): void => send(present, merge, null),
    isPending,
    error: lostTo === null && !readPartsChanged(error) ? error : null,
    lostTo,
    dropErrors: (): void => {
      setLostTo(null);
      reset();
    },
  };
};

type RestaurantWrite = { body: { seen_version: string; restaurant: RestaurantDetails }; idempotencyKey: string };

export const useSaveRestaurant = (venue: string, onSaved: () => void) => {
  const queryClient = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (input: RestaurantWrite) => call("saveRestaurant", { params: { venue }, ...input }),
    retry: isWorthRetrying,
    onSuccess: ({ data }) => {
      putPart(queryClient, venue, { restaurant: data });
      onSaved();
    },
  });
  const lost = readPartsChanged(error);
  const lostTo: LostRace | null = lost && { who: lost.changed_by };
  return {
    save: (seen_version: string, restaurant: RestaurantDetails): void =>
      mutate({ body: { seen_version, restaurant }, idempotencyKey: crypto.randomUUID() }),
    isPending,
    error: lost ? null : error,
    lostTo,
    dropErrors: reset,
  };
};
