/** What the contract and the service say in English, in the reader's language as far as it is known. */
import { events } from "virtual:contract";
import type { EventType } from "@comanda/contract/events.ts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

const useArabic = () => {
  const { i18n } = useTranslation();
  const isArabic = i18n.language === "ar";
  // Fetched only by those who read it, as all Arabic is.
  const { data: arabic } = useQuery({
    queryKey: ["server-texts", "ar"],
    queryFn: () => import("./server-ar.ts"),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isArabic,
  });
  return isArabic ? arabic : undefined;
};

export const useOccursWhen = (): ((type: EventType) => string) => {
  const known = useArabic();
  return (type) => known?.OCCURS[type] ?? events[type].occursWhen;
};

/** For what is wrong with a field. */
export const useFaultWords = (): ((sentence: string) => string) => {
  const known = useArabic();
  return (sentence) => known?.FAULTS[sentence] ?? sentence;
};
