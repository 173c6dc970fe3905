/** Parses a PostgreSQL address: one host, or several in libpq's form (`h1:5432,h2:5432`), of which one accepts writes. */

export type DatabaseUrl = {
  /** One address for each host, in the order in which they are tried. */
  urls: readonly string[];
  /** Logs and messages show it: user and password are left out. */
  hosts: string;
  database: string;
};

const SHAPE = /^(postgres(?:ql)?:\/\/)([^/?#]*)(\/[^?#]*)?(\?[^#]*)?$/;
const TARGET = "target_session_attrs";
/** The service needs a server that accepts writes. Other values of libpq ask for a standby. */
const TARGETS = ["any", "read-write", "primary"];

export const ESCAPE_ADVICE =
  "In a user name or password write %2F for /, %40 for @, %3A for :, %3F for ?, %23 for #, %25 for % and %20 for a space";

const UNREADABLE = `cannot be read. ${ESCAPE_ADVICE}.`;

/** An unescaped / ? or # in a password ends the host part early and leaves an @ in the path. */
export const hasStrayAt = (url: string): boolean => {
  const [, authority = "", path = "", rest = ""] = /^[a-z+.-]+:\/\/([^/?#]*)([^?#]*)(.*)$/i.exec(url) ?? [];
  return path.includes("@") || (!authority.includes("@") && rest.includes("@"));
};

/** The address, or the fault as the end of a sentence. The value is not repeated, because it holds a password. */
export const parseDatabaseUrl = (text: string): DatabaseUrl | string => {
  const [, scheme, authority, path = "", query = ""] = SHAPE.exec(text) ?? [];
  if (scheme === undefined || authority === undefined || hasStrayAt(text)) return UNREADABLE;
  const credentials = authority.slice(0, authority.lastIndexOf("@") + 1);
  const parameters = new URLSearchParams(query);
  const target = parameters.get(TARGET);
  if (target !== null && !TARGETS.includes(target)) return `has ${TARGET}=${target}, but the service writes: use read-write.`;
  parameters.delete(TARGET);
  const rest = path + (parameters.size > 0 ? `?${parameters}` : "");
  const hosts = authority.slice(credentials.length).split(",");
  const urls = hosts.map((host) => `${scheme}${credentials}${host}${rest}`);
  if (!urls.every(isReadable)) return UNREADABLE;
  return { urls, hosts: parameters.get("host") ?? hosts.map(shownHost).join(", "), database: decodeURIComponent(path.slice(1)) };
};

/** Several addresses in one setting. A comma that is not followed by an address separates two hosts of one address. */
export const splitDatabaseUrls = (text: string): string[] =>
  text
    .trim()
    .replace(/,$/, "")
    .split(/[\s,]+(?=postgres(?:ql)?:\/\/)/)
    .filter(Boolean);

/** An empty host is a socket, which `?host=` names. */
const isReadable = (url: string): boolean => URL.canParse(url.replace(/(@|\/\/)(?=\/)/, "$1socket")) && !hasStrayPercent(url);

const hasStrayPercent = (url: string): boolean => /%(?![0-9A-Fa-f]{2})/.test(url);

const shownHost = (host: string): string => decodeURIComponent(/:\d+$/.test(host) ? host : `${host || "localhost"}:5432`);
