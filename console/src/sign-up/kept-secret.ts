/** The secret of the sign-up link, for as long as the tab is open. */
const STORED = "comanda.sign-up-link";

export const keptSecret = (): string => {
  try {
    return sessionStorage.getItem(STORED) ?? "";
  } catch {
    return "";
  }
};

/** An empty one ends it. */
export const keepSecret = (secret: string): void => {
  try {
    if (secret === "") sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, secret);
  } catch {
    // Storage is blocked: the link is opened again after a sign-in.
  }
};
