/** The page of a device without a person: it shows a code, and then what a manager paired it for. It needs no sign-in. */
import "./screen.css";
import type { ScreenPurpose } from "@comanda/contract/console/operation.ts";
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { addEnglishTexts } from "#kit/language.ts";
import { registerServiceWorker } from "#offline/register-service-worker.ts";
import { lazyPart } from "#shell/offline.tsx";
import { usePageTitle } from "#shell/page.tsx";
import { PairingCode } from "./pairing-code.tsx";
import { ScreenLayout, ScreenLoading, ScreenMessage } from "./screen-layout.tsx";
import { screenQuery, useDeleteVenueData, useStartPairing } from "./screen-query.ts";
import { type ScreenStep, stepOf } from "./screen-view.ts";
import { enScreens } from "./texts.en.ts";

addEnglishTexts(enScreens);

const DISPLAYS: Record<ScreenPurpose, ComponentType<{ onEnded: () => void }>> = {
  kitchen: lazyPart(() => import("#kitchen/kitchen-display.tsx"), "KitchenDisplay"),
};

export const ScreenPage = () => {
  const { t } = useTranslation();
  usePageTitle(t("screenPage.title"));
  useEffect(registerServiceWorker, []);
  const { data: known, error, isFetching, refetch } = useQuery(screenQuery);
  const step = useOfClock((now) => (known ? stepOf(known, now) : ""));
  const deleteVenueData = useDeleteVenueData();
  if (step === "paired") {
    const Display = DISPLAYS[known?.screen?.purpose ?? "kitchen"];
    return (
      <Suspense fallback={<ScreenLoading />}>
        <Display onEnded={deleteVenueData} />
      </Suspense>
    );
  }
  const again = { action: t("common.retry"), isPending: isFetching, onAction: () => void refetch() };
  if (!known || step === "")
    return error ? (
      <ScreenLayout>
        <ScreenMessage title={t("screenPage.unreachable")} error={error} {...again} />
      </ScreenLayout>
    ) : (
      <ScreenLoading />
    );
  return (
    <ScreenLayout>
      {step === "code" ? (
        <PairingCode code={known.code ?? ""} validUntil={known.validUntil ?? 0} error={error} onRetry={() => void refetch()} />
      ) : (
        <StartStep step={step} />
      )}
    </ScreenLayout>
  );
};

/** A code is made only after a tap: an abandoned device stays quiet. */
const StartStep = ({ step }: { step: Exclude<ScreenStep, "code" | "paired"> }) => {
  const { t } = useTranslation();
  const start = useStartPairing();
  const action = step === "expired" ? t("screenPage.newCode") : t("screenPage.pair");
  return (
    <ScreenMessage
      key={step}
      title={t(`screenPage.${step}.title`)}
      lead={t(`screenPage.${step}.lead`)}
      hasPicture={step === "start"}
      error={start.error}
      action={start.error ? t("common.retry") : action}
      isPending={start.isPending}
      onAction={() => start.mutate()}
    />
  );
};
