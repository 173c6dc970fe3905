/** Sentences that come from the service or the contract, in the reader's language as far as they are known. */
import { events } from "virtual:contract";
import type { EventType } from "@comanda/contract/events.ts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

const SAID = /^(.*?)(?: It said (\d+)\.)?$/s;

export const useServerTexts = () => {
  const { i18n } = useTranslation();
  const isArabic = i18n.language === "ar";
  // Fetched only by those who read it, as all Arabic is.
  const { data: arabic } = useQuery({
    queryKey: ["server-texts", "ar"],
    queryFn: () => import("./server-ar.ts"),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isArabic,
  });
  const known = isArabic ? arabic : undefined;
  return {
    occursWhen: (type: EventType): string => known?.OCCURS[type] ?? events[type].occursWhen,
    say: (sentence: string): string => {
      const [, words = sentence, status] = SAID.exec(sentence) ?? [];
      const said = known?.SENTENCES[words];
      if (said === undefined) return sentence;
      return status === undefined ? said : `${said} (${status})`;
    },
  };
};
