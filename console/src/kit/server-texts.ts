/** Translations of English texts from the contract and the server. */
import { events } from "virtual:contract";
import type { EventType } from "@comanda/contract/events/envelope.ts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

const useArabic = () => {
  const { i18n } = useTranslation();
  const isArabic = i18n.language === "ar";
  // Arabic texts are loaded on demand.
  const { data: arabic } = useQuery({
    queryKey: ["server-texts", "ar"],
    queryFn: () => import("./server-texts.ar.ts"),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isArabic,
  });
  return isArabic ? arabic : undefined;
};

export const useOccursWhen = (): ((type: EventType) => string) => {
  const known = useArabic();
  return (type) => known?.EVENT_DESCRIPTIONS[type] ?? events[type].occursWhen;
};

/** Translates a field error of the server. */
export const useErrorTranslation = (): ((sentence: string) => string) => {
  const known = useArabic();
  return (sentence) => known?.translateFieldError(sentence) ?? sentence;
};
