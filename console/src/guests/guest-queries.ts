/** The data of the guest pages. A refused write puts the present profile into the page and says who was faster. */
import type { GuestProfile } from "@comanda/contract/console/guests.ts";
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError, call, isWorthRetrying } from "../api.ts";
import { useToast } from "../ui/toast.ts";

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

/** Takes over the present profile after a lost race; other errors are shown as they are. */
export const useGuestError = (venue: string) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  return (error: Error): void => {
    if (!(error instanceof CallError) || error.code !== "state_changed") {
      toast.error(error);
      return;
    }
    const { guest, changed_by: who } = error.details as { guest: GuestProfile; changed_by: string | null };
    queryClient.setQueryData(guestQuery(venue, guest.id).queryKey, guest);
    toast.note(who === null ? t("guests.fasterUnknown") : t("guests.faster", { who }));
  };
};

type GuestWrite<Body> = { key: string; body: Body; isUndo: boolean };
type GuestCall<Body> = (write: GuestWrite<Body>) => Promise<unknown>;

/** One tap is one write: its key is made with the tap, and a lost answer repeats it. The page reads the profile again. */
export const useGuestWrite = <Body>(venue: string, id: number, send: GuestCall<Body>, onDone: (body: Body, isUndo: boolean) => void) => {
  const queryClient = useQueryClient();
  const onError = useGuestError(venue);
  const { mutate, ...mutation } = useMutation({
    mutationFn: send,
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: async (_, { body, isUndo }) => {
      await queryClient.invalidateQueries({ queryKey: guestQuery(venue, id).queryKey });
      void queryClient.invalidateQueries({ queryKey: ["guests", venue] });
      onDone(body, isUndo);
    },
    onError: (error) => {
      if (!(error instanceof CallError) || error.code !== "validation_failed") onError(error);
    },
  });
  return { ...mutation, write: (body: Body, isUndo = false): void => mutate({ key: crypto.randomUUID(), body, isUndo }) };
};
