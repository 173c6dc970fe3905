/** Writes of the restaurant and of its branches. Each puts the part that is stored then into the query of the settings. */
import type { RestaurantDetails, VenueBranch, VenueSettingParts, WantedBranch } from "@comanda/contract/console/venue-settings.ts";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { isUnanswered } from "#kit/api.ts";
import { type LostRace, useDraftWrite } from "#kit/draft.ts";
import { readChanged, useWrite } from "#kit/write.ts";
import { venueSettingsQuery } from "./venue-settings-query.ts";

/** A stored branch as it is saved again: its key names it. */
export const wantedOf = ({ id: _, ...branch }: VenueBranch): WantedBranch => branch;

export type BranchesPart = VenueSettingParts["branches"];

const putPart = (client: QueryClient, venue: string, part: Partial<VenueSettingParts>): void =>
  void client.setQueryData(venueSettingsQuery(venue).queryKey, (known) => known && { ...known, ...part });

export const putBranches = (client: QueryClient, venue: string, branches: BranchesPart): void => putPart(client, venue, { branches });

/** All branches as they are to be, or null: the page saw something else of what it changes. */
export type MergeBranches = (present: readonly VenueBranch[]) => WantedBranch[] | null;

/** What another page changed meanwhile, such as a closing day, is kept: the change is made again on top of it, once. */
export const useSaveBranches = (venue: string, onSaved: () => void) => {
  const queryClient = useQueryClient();
  const [lostTo, setLostTo] = useState<LostRace | null>(null);
  const last = useRef<{ merge: MergeBranches; isSecondTry: boolean } | null>(null);
  const { write, wanted, isPending, error, reset } = useWrite<"saveBranches">({
    onDone: ({ data }) => {
      putBranches(queryClient, venue, data);
      onSaved();
    },
    onChanged: ({ branches, changed_by: who }) => {
      const present = branches as BranchesPart;
      putBranches(queryClient, venue, present);
      if (last.current?.isSecondTry === false) send(present, last.current.merge, { who });
      else setLostTo({ who });
      return null;
    },
    // The page says it itself.
    onRefused: () => undefined,
  });
  /** `lost`: the race that the first try lost. */
  const send = ({ version, value }: BranchesPart, merge: MergeBranches, lost: LostRace | null): void => {
    const branches = merge(value);
    last.current = { merge, isSecondTry: lost !== null };
    // The page may show by now what was saved without an answer: the same press asks for that answer.
    if (branches === null && error && isUnanswered(error) && wanted) write(wanted);
    else if (branches === null) setLostTo(lost ?? { who: null });
    else write({ id: "saveBranches", params: { venue }, body: { seen_version: version, branches } });
  };
  return {
    save: (present: BranchesPart, merge: MergeBranches): void => send(present, merge, null),
    isPending,
    error: lostTo === null && !readChanged(error) ? error : null,
    lostTo,
    dropErrors: (): void => {
      setLostTo(null);
      reset();
    },
  };
};

export const useSaveRestaurant = (venue: string, drop: () => void, onSaved: () => void) => {
  const queryClient = useQueryClient();
  const { queryKey } = venueSettingsQuery(venue);
  const { write, ...saving } = useDraftWrite<"saveRestaurant">({
    queryKey,
    drop,
    onDone: ({ data }) => {
      putPart(queryClient, venue, { restaurant: data });
      onSaved();
    },
  });
  return {
    ...saving,
    save: (seen_version: string, restaurant: RestaurantDetails): void =>
      write({ id: "saveRestaurant", params: { venue }, body: { seen_version, restaurant } }),
  };
};
