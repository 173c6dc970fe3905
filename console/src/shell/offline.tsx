/** Offline notice, and reload when the connection is back. */
import { onlineManager } from "@tanstack/react-query";
import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { lazy, useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { CallError } from "#kit/api.ts";

const isOnline = (): boolean => onlineManager.isOnline();

const useIsOnline = (): boolean => useSyncExternalStore((changed) => onlineManager.subscribe(changed), isOnline);

/** Shown above every page while offline. Queries wait for the connection. */
export const OfflineNote = () => {
  const { t } = useTranslation();
  if (useIsOnline()) return null;
  return (
    <div className="offline-note" role="status">
      <b>{t("offline.title")}</b> {t("offline.lead")}
    </div>
  );
};

/** Reports page code that cannot be loaded without a connection as `offline`. Other errors are passed on. */
const withOfflineError =
  <T,>(load: () => Promise<T>) =>
  (): Promise<T> =>
    load().catch((error: unknown) => {
      throw navigator.onLine ? error : new CallError("offline", "There is no connection.");
    });

export type PageExports = Record<string, RouteComponent>;

/** A page whose code is loaded when it is first opened. */
export const lazyPage = <Exports extends PageExports, Name extends keyof Exports & string>(load: () => Promise<Exports>, name: Name) =>
  lazyRouteComponent(withOfflineError(load), name);

/** Any component, as `lazy` takes it. */
type LazyPart = Awaited<ReturnType<Parameters<typeof lazy>[0]>>["default"];

/** A part of a page whose code is loaded when it is first shown. */
export const lazyPart = <Exports extends Record<Name, LazyPart>, Name extends keyof Exports & string>(
  load: () => Promise<Exports>,
  name: Name,
) => lazy<Exports[Name]>(withOfflineError(async () => ({ default: (await load())[name] })));

const ASK_EVERY_MS = 5000;

/** Checks first: a reload without a connection would show the browser's error page. */
const reloadIfAnswered = (): void =>
  void fetch(window.location.href, { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok && window.location.reload(),
    () => undefined,
  );

/** Reloads as soon as the server answers: a failed code import is not retried without a reload. */
export const useReloadWhenOnline = (isAway: boolean): (() => void) => {
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
