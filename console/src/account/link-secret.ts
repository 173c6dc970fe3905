/** The secret of a link by mail. It is in the URL fragment, which no server logs, and is removed from the address bar. */
import { useEffect, useState } from "react";

const readSecret = (): string => {
  const text = window.location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    // The text is no valid encoding: the server answers that the link is unknown.
    return text;
  }
};

const clearAddress = (): void => window.history.replaceState(window.history.state, "", window.location.pathname);

/** Reads a link that is pasted into this tab too: only the fragment changes then, and the page is not loaded again. */
export const useLinkSecret = (): string => {
  const [secret, setSecret] = useState(readSecret);
  useEffect(() => {
    const takeNext = (): void => {
      const next = readSecret();
      if (next === "") return;
      setSecret(next);
      clearAddress();
    };
    clearAddress();
    window.addEventListener("hashchange", takeNext);
    return () => window.removeEventListener("hashchange", takeNext);
  }, []);
  return secret;
};
