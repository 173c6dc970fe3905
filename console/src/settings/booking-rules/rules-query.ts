/** The booking rules of a venue, and the write that saves them. */
import type { BookingRuleSet } from "@comanda/contract/console/floor.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { CallError, call, isWorthRetrying } from "../../api.ts";

export const rulesQuery = (venue: string) =>
  queryOptions({
    queryKey: ["booking-rules", venue],
    queryFn: async () => (await call("readBookingRules", { params: { venue } })).data,
  });

type RulesChanged = { booking_rules: BookingRuleSet; changed_by: string | null };

/** Null for any other error. */
export const readRulesChanged = (error: unknown): RulesChanged | null =>
  error instanceof CallError && error.code === "state_changed" ? (error.details as RulesChanged) : null;

type RulesWrite = { body: { seen_version: string; rules: BookingRules }; idempotencyKey: string };

export const useSaveRules = (venue: string, onSaved: () => void) => {
  const queryClient = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (input: RulesWrite) => call("saveBookingRules", { params: { venue }, ...input }),
    retry: isWorthRetrying,
    onSuccess: ({ data }) => {
      queryClient.setQueryData(rulesQuery(venue).queryKey, data);
      void queryClient.invalidateQueries({ queryKey: ["booking-trial", venue] });
      onSaved();
    },
  });
  const save = (seen_version: string, rules: BookingRules): void =>
    mutate({ body: { seen_version, rules }, idempotencyKey: crypto.randomUUID() });
  return { save, isPending, error, reset };
};
