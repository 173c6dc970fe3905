import { useEffect } from "react";

/** Keeps the screen on while the page is visible. The browser drops the lock when the page is hidden, so it is taken again. */
export const useWakeLock = (): void => {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isEnded = false;
    const take = async (): Promise<void> => {
      if (!("wakeLock" in navigator) || document.visibilityState !== "visible") return;
      // Refused when the battery is low or the browser does not allow it.
      const taken = await navigator.wakeLock.request("screen").catch(() => null);
      if (isEnded) await taken?.release();
      else lock = taken;
    };
    const onVisible = (): void => void take();
    void take();
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      isEnded = true;
      document.removeEventListener("visibilitychange", onVisible);
      void lock?.release();
    };
  }, []);
};
