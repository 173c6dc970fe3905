/** The kitchen display of a paired screen. */
import "./kitchen-texts.ts";
import "./display.css";
import "./ticket.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { useBodyMark } from "#kit/body-mark.ts";
import { changeLanguage, currentLanguage } from "#kit/language.ts";
import { VenueLanguage } from "#kit/localized-name.ts";
import { useWakeLock } from "#kit/wake-lock.ts";
import { useDisplayLook } from "./display-look.ts";
import { DisplayPage } from "./display-page.tsx";
import { deleteKitchen } from "./kitchen-database.ts";
import { useKitchen, useKitchenCopies } from "./kitchen-query.ts";

/** `onEnded`: the screen was ended. All data is dropped before. The data is in a store of its own: a person's session has nothing to do with it. */
export const KitchenDisplay = ({ onEnded }: { onEnded: () => void }) => {
  const [client] = useState(() => new QueryClient());
  const [isEnded, setIsEnded] = useState(false);
  const ended = useRef(false);
  const readEnded = useCallback(() => ended.current, []);
  const end = useCallback(() => {
    if (ended.current) return;
    ended.current = true;
    setIsEnded(true);
    client.clear();
    // Without storage nothing was kept.
    deleteKitchen()
      .catch(() => undefined)
      .finally(onEnded);
  }, [client, onEnded]);
  if (isEnded) return null;
  return (
    <QueryClientProvider client={client}>
      <LoadedDisplay onEnded={end} isEnded={readEnded} />
    </QueryClientProvider>
  );
};

const useScreenLanguage = (language: "en" | "ar" | undefined): void => {
  useEffect(() => {
    if (language !== undefined && language !== currentLanguage()) void changeLanguage(language, { isStored: false });
  }, [language]);
};

const LoadedDisplay = ({ onEnded, isEnded }: { onEnded: () => void; isEnded: () => boolean }) => {
  const { data, error } = useKitchen();
  const look = useDisplayLook();
  useBodyMark("kitchen");
  useKitchenCopies(isEnded);
  useWakeLock();
  useScreenLanguage(data?.screen.language);
  const isSignedOut = hasErrorCode(error, "signed_out");
  useEffect(() => {
    if (isSignedOut) onEnded();
  }, [isSignedOut, onEnded]);
  if (isSignedOut) return null;
  return (
    <div className="kitchen" data-look={look.look}>
      {data ? (
        <VenueLanguage value={data.default_language}>
          <DisplayPage key={data.screen.id} kitchen={data} look={look} onEnded={onEnded} />
        </VenueLanguage>
      ) : (
        <Unread isFailed={error !== null} />
      )}
    </div>
  );
};

const Unread = ({ isFailed }: { isFailed: boolean }) => {
  const { t } = useTranslation();
  return (
    <main className="kd-empty">
      <div role={isFailed ? "alert" : "status"}>
        <h1>{isFailed ? t("kitchen.unread") : t("kitchen.loading")}</h1>
        {isFailed && <p>{t("kitchen.unreadLead")}</p>}
      </div>
    </main>
  );
};
