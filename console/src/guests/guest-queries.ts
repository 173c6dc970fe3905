/** The data of the guest pages. A refused write puts the present profile into the page. */
import type { GuestProfile } from "@comanda/contract/console/guests.ts";
import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "#kit/api.ts";
import type { Changed } from "#kit/write.ts";

export const guestsQuery = (venue: string, search: string) =>
  queryOptions({
    queryKey: ["guests", venue, search],
    queryFn: async () => (await call("findGuests", { params: { venue }, query: search === "" ? {} : { search } })).data,
    placeholderData: keepPreviousData,
  });

export const guestQuery = (venue: string, id: number) =>
  queryOptions({
    queryKey: ["guest", venue, id],
    queryFn: async () => (await call("readGuestProfile", { params: { venue, id } })).data,
  });

/** What a write of a guest may change. */
export const guestKeys = (venue: string, id: number) => [guestQuery(venue, id).queryKey, ["guests", venue]];

/** Takes over the profile of a refusal. It may be that of the other guest of a merge. */
export const useTakeOver = (venue: string) => {
  const queryClient = useQueryClient();
  return (changed: Changed): undefined => {
    const { guest } = changed as Changed & { guest: GuestProfile };
    queryClient.setQueryData(guestQuery(venue, guest.id).queryKey, guest);
  };
};
