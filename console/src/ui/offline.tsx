/** Without a connection: what is shown, and how the page comes back by itself. */
import { onlineManager } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Refused } from "../api.ts";

const isOnline = (): boolean => onlineManager.isOnline();

const useIsOnline = (): boolean => useSyncExternalStore((changed) => onlineManager.subscribe(changed), isOnline);

/** Over every page: what is on it stays readable, and questions wait for the connection. */
export const OfflineNote = () => {
  const { t } = useTranslation();
  if (useIsOnline()) return null;
  return (
    <div className="offline-note" role="status">
      <b>{t("offline.title")}</b> {t("offline.lead")}
    </div>
  );
};

/** A page whose code could not be fetched because there is no connection. Any other failure stays what it is. */
export const orOffline =
  <T,>(load: () => Promise<T>) =>
  (): Promise<T> =>
    load().catch((error: unknown) => {
      throw navigator.onLine ? error : new Refused("offline", "There is no connection.");
    });

const ASK_EVERY_MS = 5000;

/** Only when the service answers: a reload without a connection would leave the browser's own error page. */
const reloadIfAnswered = (): void =>
  void fetch(window.location.href, { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok && window.location.reload(),
    () => undefined,
  );

/** Reloads as soon as the service answers: code that could not be fetched is not asked for a second time without it. */
export const useRecovery = (isAway: boolean): (() => void) => {
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(reloadIfAnswered, ASK_EVERY_MS);
    window.addEventListener("online", reloadIfAnswered);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", reloadIfAnswered);
    };
  }, [isAway]);
  return reloadIfAnswered;
};
