/** The page for a request without a known app, or with a redirect address that is not the app's: the browser is not redirected. */
import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { writeHeaders } from "../reply.ts";

const TEXTS = {
  en: {
    direction: "ltr",
    title: "This link does not work",
    lead: "An app asked for access to a restaurant, but its request is not right, so nothing was given to anybody.",
    advice: "Go back to the app and try again. If it happens again, tell the people who make the app what stands here:",
  },
  ar: {
    direction: "rtl",
    title: "هذا الرابط لا يعمل",
    lead: "طلب تطبيقٌ الوصول إلى مطعم، لكن طلبه غير صحيح، فلم يُمنح أحدٌ شيئاً.",
    advice: "عُد إلى التطبيق وحاول من جديد. وإن تكرر ذلك فأخبر أصحاب التطبيق بما يلي:",
  },
} as const;

const STYLE = `:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;margin:0;background:#f6f5f2;color:#22201c}
main{max-width:34rem;margin:14vh auto 0;padding:0 1.5rem}h1{font-size:1.6rem;line-height:1.25}
code{display:block;padding:.9rem 1.1rem;border-radius:.6rem;background:#fff;border:1px solid #d9d5cc;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#1a1917;color:#ece9e3}code{background:#252320;border-color:#45413a}}`;

const NEVER_FRAMED = { "Cache-Control": "no-store", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer" };

/** Protects the page and every redirect: no framing, no caching, and no referrer for the app's host. */
export const protectRedirect = (reply: FastifyReply, policy = "default-src 'none'; frame-ancestors 'none'"): void =>
  writeHeaders(reply, { ...NEVER_FRAMED, "Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff" });

export const sendErrorPage = (request: FastifyRequest, reply: FastifyReply, sentence: string): FastifyReply => {
  const language = /^\s*ar\b/i.test(request.headers["accept-language"] ?? "") ? "ar" : "en";
  const { direction, title, lead, advice } = TEXTS[language];
  const nonce = randomBytes(18).toString("base64url");
  protectRedirect(reply, `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`);
  return reply
    .code(400)
    .type("text/html; charset=utf-8")
    .send(`<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${lead}</p><p>${advice}</p><p><code dir="ltr" lang="en">${sentence}</code></p></main></body></html>
`);
};
