/** The service worker opens the console when there is no connection. Browsers without one work as before. */
export const registerServiceWorker = (): void => {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  // The scope is the worker's own folder: /console/.
  navigator.serviceWorker.register(`${import.meta.env.BASE_URL}service-worker.js`, { updateViaCache: "none" }).catch(() => undefined);
};
