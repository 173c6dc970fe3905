/** An app asks, and an owner decides: what is asked, for which venue, yes or no. */
import "../apps.css";
import "./consent.css";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { call, Refused } from "../../api.ts";
import { usePageTitle } from "../../ui/page.tsx";
import { Fault, PageLoading } from "../../ui/states.tsx";
import { ConsentFrame } from "./consent-frame.tsx";
import { ConsentGone } from "./consent-gone.tsx";
import { Question } from "./question.tsx";

const isGone = (error: unknown): boolean => error instanceof Refused && error.code === "validation_failed" && "request" in error.details;

/** A page that the browser kept while the person was away still shows a question that has been answered. */
const useFreshOnReturn = (): void => {
  useEffect(() => {
    const look = (event: PageTransitionEvent) => event.persisted && window.location.reload();
    window.addEventListener("pageshow", look);
    return () => window.removeEventListener("pageshow", look);
  }, []);
};

export const ConsentPage = () => {
  const { t } = useTranslation();
  const { request } = useParams({ from: "/inside/consent/$request" });
  usePageTitle(t("consent.name"));
  useFreshOnReturn();
  const consent = useQuery({
    queryKey: ["consent", request],
    queryFn: async () => (await call("readConsent", { body: { request } })).data,
    gcTime: 0,
    // Ticks must not jump while somebody thinks, nor the page change while the browser leaves it.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (consent.isPending) return <PageLoading />;
  if (isGone(consent.error)) return <ConsentGone />;
  if (consent.error)
    return (
      <ConsentFrame>
        <h1 className="consent-title">{t("consent.name")}</h1>
        <Fault error={consent.error} onRetry={() => void consent.refetch()} />
      </ConsentFrame>
    );
  return <Question request={request} consent={consent.data} isGone={isGone} />;
};
