/** The consent screen: what an app asks for, for which venue, and the owner's decision. */
import "#developer/developer-texts.ts";
import "../apps.css";
import "./consent.css";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { CallError, call } from "#kit/api.ts";
import { addEnglishTexts } from "#kit/language.ts";
import { usePageTitle } from "#shell/page.tsx";
import { ErrorAlert, PageLoading } from "#shell/page-states.tsx";
import { enApps } from "../texts.en.ts";
import { ConsentExpired } from "./consent-expired.tsx";
import { ConsentForm, ConsentLayout } from "./consent-form.tsx";

addEnglishTexts(enApps);

const isGone = (error: unknown): boolean => error instanceof CallError && error.code === "validation_failed" && "request" in error.details;

/** Reloads a page restored from the back-forward cache: its request may have been answered. */
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
    // No refetch: it would reset the ticks, or change the page while the browser leaves it.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (consent.isPending) return <PageLoading />;
  if (isGone(consent.error)) return <ConsentExpired />;
  if (consent.error)
    return (
      <ConsentLayout>
        <h1 className="consent-title">{t("consent.name")}</h1>
        <ErrorAlert error={consent.error} onRetry={() => void consent.refetch()} />
      </ConsentLayout>
    );
  return <ConsentForm request={request} consent={consent.data} isGone={isGone} />;
};
