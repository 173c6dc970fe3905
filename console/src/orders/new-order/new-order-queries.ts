/** What the dialog reads: the form, the guest who calls, the price. */
import type { KnownGuest, OrderForm, OrderQuote } from "@comanda/contract/console/staff-orders.ts";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "#kit/api.ts";
import { type OrderDraft, phoneOf, quoteBody } from "./order-draft.ts";

const TYPING_PAUSE_MS = 300;
const PHONE_DIGITS_MIN = 6;

/** Dishes sell out during the evening, so that the form is read each time the dialog opens. */
export const orderFormQuery = (venue: string) =>
  queryOptions({
    queryKey: ["order-form", venue],
    queryFn: async () => (await call("readOrderForm", { params: { venue } })).data,
    staleTime: 0,
  });

/** Null for a number that no guest has; undefined while it is not known. */
export const useKnownGuest = (venue: string, phone: string): KnownGuest | null | undefined => {
  const wanted = phoneOf({ phone });
  const [settled] = useDebouncedValue(wanted, TYPING_PAUSE_MS);
  const digits = settled.replaceAll(/\D/g, "");
  const { data } = useQuery({
    queryKey: ["order-guest", venue, settled],
    queryFn: async () => (await call("findOrderGuest", { params: { venue }, query: { phone: settled } })).data,
    enabled: digits.length >= PHONE_DIGITS_MIN,
    staleTime: 60_000,
  });
  return settled === wanted ? data : undefined;
};

/** The price as the rules give it. While a new one is on its way the last one stays. */
export const useQuote = (
  venue: string,
  draft: OrderDraft,
  form: OrderForm,
): { quote: OrderQuote | undefined; isCurrent: boolean; error: Error | null; refetch: () => void } => {
  const { lines } = draft;
  const wanted = JSON.stringify(quoteBody(draft, form.zone, Date.parse(form.now)));
  const [settled] = useDebouncedValue(wanted, TYPING_PAUSE_MS);
  const query = useQuery({
    queryKey: ["order-quote", venue, settled],
    queryFn: async () => (await call("quoteStaffOrder", { params: { venue }, body: JSON.parse(settled) })).data,
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
  const isCurrent = settled === wanted && query.isSuccess && !query.isPlaceholderData;
  return { quote: lines.length > 0 ? query.data : undefined, isCurrent, error: query.error, refetch: () => void query.refetch() };
};
