/** The address that a client is given. A wrong one is an error at once that says what to write, not a 404 of some page later. */

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/]|$)/i;

/** The service's root in what people paste: with `/api/v1`, with a page's query, without a scheme. Null when there is no address in it. */
export const rootUrlOf = (given: string): string | null => {
  const bare = given.trim().replace(/[?#].*$/s, "");
  if (bare === "") return null;
  const scheme = LOCAL.test(bare) ? "http://" : "https://";
  const full = /^https?:\/\//i.test(bare) ? bare : `${scheme}${bare.replace(/^[a-z]*:?\/\//i, "")}`;
  const [, origin = "", path = ""] = /^(https?:\/\/[^/]+)(.*)$/i.exec(full) ?? [];
  // `fetch` refuses an address with a user name or a password.
  if (!URL.canParse(origin) || origin.includes("@")) return null;
  return `${origin}${path.replace(/\/+api\/+v1(\/.*)?$/i, "").replace(/\/+$/, "")}`;
};

/** Throws unless the text is the service's root: scheme and host, without `/api/v1` and without a slash at the end. */
export const checkRootUrl = (rootUrl: string): void => {
  const root = rootUrlOf(String(rootUrl ?? ""));
  if (root !== null && root === rootUrl) return;
  const advice = root === null ? "Write the service's root, such as https://api.example.com." : `Write "${root}".`;
  throw new TypeError(
    `"${rootUrl}" is not the service's root: rootUrl has a scheme, no path of the API and no slash at the end. ${advice}`,
  );
};
