/** The reader's sandbox token: kept in this browser tab, and shown in the examples, so that a copied example works. */

const KEPT_AS = "comanda-sandbox-token";

/** The kind of a token stands after its number. */
const SANDBOX = /^[1-9]\d{0,15}\|svc_sbx_[0-9A-Za-z]{40}[0-9a-f]{8}$/;
const OTHER_KIND = /^\d+\|svc_(?!sbx_)/;

const NOT_A_TOKEN = "This is not a sandbox token. The whole token begins with a number, a bar and svc_sbx_, and 48 characters follow.";
const LIVE = "This token is not of a sandbox: it can change a live venue. Paste a token that has svc_sbx_ in it.";

/** Why the token is refused; null for a sandbox token. */
export const refusalOf = (token: string): string | null => (SANDBOX.test(token) ? null : OTHER_KIND.test(token) ? LIVE : NOT_A_TOKEN);

export const keptToken = (): string | null => {
  try {
    return sessionStorage.getItem(KEPT_AS);
  } catch {
    // A browser may refuse to store anything.
    return null;
  }
};

export const keepToken = (token: string | null): void => {
  try {
    if (token === null) sessionStorage.removeItem(KEPT_AS);
    else sessionStorage.setItem(KEPT_AS, token);
  } catch {
    // The token stands in this page until it is left.
  }
};

/** What the page has at each place without a token. */
const written = new WeakMap<Element, Node[]>();

export const fillInToken = (token: string | null): void => {
  for (const place of document.querySelectorAll(".vp-doc .token-place")) {
    const before = written.get(place) ?? [...place.childNodes];
    written.set(place, before);
    if (token === null) place.replaceChildren(...before);
    else place.textContent = place.classList.contains("quoted") ? `"${token}"` : token;
  }
};
