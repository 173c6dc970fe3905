/** Verifies a signature as a receiver should and finds the part that does not match. Nothing leaves the browser. */

export const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = "whsec_";
const SECRET_FORM = /^whsec_[0-9A-Za-z]{40}$/;

export type SignatureHeaderFault = "empty" | "no_t" | "t_not_seconds" | "no_v1" | "v1_not_hex";
export type SignatureHeader = { t: number; signatures: string[] };

/** How the body was changed; `kept` if it was not. */
export type BodyCause = "kept" | "newline_added" | "newline_lost" | "line_ends" | "rewritten";
/** What is wrong with the secret as pasted. */
export type SecretCause = "kept" | "spaces" | "no_prefix";
/** The most likely cause when no variation matches. */
export type LikelyCause = "secret_form" | "body_cut" | "body_or_secret" | "secret";

export type SignatureResult =
  | { kind: "header"; fault: SignatureHeaderFault }
  | { kind: "no_match"; likelyCause: LikelyCause; signatures: number; ageSeconds: number }
  | { kind: "match"; position: number; signatures: number; body: BodyCause; secret: SecretCause; ageSeconds: number; isTooOld: boolean };

export const isGenuine = (result: SignatureResult): boolean =>
  result.kind === "match" && result.body === "kept" && result.secret === "kept" && !result.isTooOld;

/** Accepts the whole header line with its name too. */
export const readHeader = (text: string): SignatureHeader | SignatureHeaderFault => {
  const parts = text
    .trim()
    .replace(/^service-signature\s*:\s*/i, "")
    .split(",")
    .map((part) => part.trim());
  if (parts.join("") === "") return "empty";
  const written = parts.find((part) => part.startsWith("t="))?.slice(2);
  if (written === undefined) return "no_t";
  // Ten digits are seconds; thirteen are milliseconds.
  if (!/^\d{9,11}$/.test(written)) return "t_not_seconds";
  const signatures = parts.filter((part) => part.startsWith("v1=")).map((part) => part.slice(3));
  if (signatures.length === 0) return "no_v1";
  if (!signatures.every((signature) => /^[0-9a-f]{64}$/i.test(signature))) return "v1_not_hex";
  return { t: Number(written), signatures: signatures.map((signature) => signature.toLowerCase()) };
};

export const hmacHex = async (secret: string, message: string): Promise<string> => {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(message)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};

const reformatted = (body: string): string | null => {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return null;
  }
};

/** Undoes each common change of the body. The first variation that matches is the cause. */
const bodyTrials = (body: string): [BodyCause, string][] => {
  const rewritten = reformatted(body);
  const trials: [BodyCause, string][] = [
    ["kept", body],
    ["newline_added", body.replace(/\s+$/, "")],
    ["newline_lost", `${body}\n`],
    ["line_ends", body.replaceAll("\r\n", "\n")],
    ...(rewritten === null ? [] : [["rewritten", rewritten] as [BodyCause, string]]),
  ];
  return trials.filter(([, trial], index) => trials.findIndex(([, other]) => other === trial) === index);
};

const secretTrials = (secret: string): [SecretCause, string][] => {
  const bare = secret.trim().replace(/^(["'])(.*)\1$/, "$2");
  return [
    ["kept", secret],
    ...(bare === secret ? [] : [["spaces", bare] as [SecretCause, string]]),
    ...(bare.startsWith(SECRET_PREFIX) ? [] : [["no_prefix", `${SECRET_PREFIX}${bare}`] as [SecretCause, string]]),
  ];
};

const likelyCauseOf = (body: string, secret: string): LikelyCause => {
  if (!SECRET_FORM.test(secret.trim())) return "secret_form";
  const rewritten = reformatted(body);
  if (rewritten === null) return "body_cut";
  // Our bodies are compact JSON: a compact body was probably not changed.
  return rewritten === body.trim() ? "secret" : "body_or_secret";
};

export type PastedRequest = { body: string; header: string; secret: string };

export const checkSignature = async ({ body, header, secret }: PastedRequest, nowSeconds: number): Promise<SignatureResult> => {
  const read = readHeader(header);
  if (typeof read === "string") return { kind: "header", fault: read };
  const { t, signatures } = read;
  const ageSeconds = nowSeconds - t;
  for (const [secretCause, key] of secretTrials(secret))
    for (const [bodyCause, text] of bodyTrials(body)) {
      const position = key === "" ? -1 : signatures.indexOf(await hmacHex(key, `${t}.${text}`));
      if (position === -1) continue;
      const isTooOld = Math.abs(ageSeconds) > TOLERANCE_SECONDS;
      return { kind: "match", position, signatures: signatures.length, body: bodyCause, secret: secretCause, ageSeconds, isTooOld };
    }
  return { kind: "no_match", likelyCause: likelyCauseOf(body, secret), signatures: signatures.length, ageSeconds };
};
