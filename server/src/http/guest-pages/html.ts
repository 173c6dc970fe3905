/** The frame of a page for guests: no script, no file from elsewhere, nothing that reveals the address to another site. */
import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";
import { writeHeaders } from "../reply.ts";
import { GUEST_TEXTS, type GuestLanguage } from "./texts.ts";

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");

const STYLE = `:root{color-scheme:light dark;--back:#f6f5f2;--sheet:#fff;--text:#22201c;--dim:#5d584f;--line:#8b8578;--accent:#7a3b12;--on:#fff;--bad:#a3161b}
@media(prefers-color-scheme:dark){:root{--back:#1a1917;--sheet:#252320;--text:#ece9e3;--dim:#b8b2a6;--line:#8b8578;--accent:#f0b48a;--on:#1a1917;--bad:#ff9d9a}}
*{box-sizing:border-box}body{font:1.0625rem/1.6 system-ui,sans-serif;margin:0;background:var(--back);color:var(--text)}
main{max-width:34rem;margin:0 auto;padding:clamp(1.25rem,6vh,4rem) 1.25rem 3rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .5rem;overflow-wrap:anywhere}p{margin:.4rem 0}
.dim{color:var(--dim);font-size:.95rem}
form{margin-top:1.5rem;display:grid;gap:1.5rem}
fieldset{border:0;margin:0;padding:0;display:grid;gap:.5rem}legend,.label{font-weight:600;padding:0;margin-bottom:.4rem;display:block}
.choice{display:flex;align-items:center;gap:.75rem;min-height:48px;padding:.4rem .9rem;border:1px solid var(--line);border-radius:.6rem;background:var(--sheet);cursor:pointer}
.choice:has(:checked){border-color:var(--accent);outline:2px solid var(--accent)}
.choice input{inline-size:1.5rem;block-size:1.5rem;flex:none;margin:0;accent-color:var(--accent)}
.stars{margin-inline-start:auto;color:var(--accent);letter-spacing:.1em;white-space:nowrap}
textarea{width:100%;min-height:8rem;padding:.7rem .9rem;font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--line);border-radius:.6rem;resize:vertical}
button{font:inherit;font-weight:600;min-height:48px;padding:.6rem 1.6rem;border:0;border-radius:.6rem;background:var(--accent);color:var(--on);cursor:pointer;justify-self:start}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.faults{margin-top:1.25rem;border-inline-start:4px solid var(--bad);padding:.6rem 1rem;background:var(--sheet)}.faults h2{font-size:1.05rem;margin:0}.faults ul{margin:.3rem 0 0;padding-inline-start:1.2rem}.faults a{color:var(--bad);display:inline-block;vertical-align:top;padding:.5rem 0}
@media(prefers-reduced-motion:no-preference){button{transition:opacity .15s}button:active{opacity:.8}}`;

export type ShownPage = { status: number; language: GuestLanguage; title: string; body: string };

const HEADERS = {
  "Cache-Control": "no-store",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow",
  "X-Content-Type-Options": "nosniff",
};

const policyOf = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** `title` and `body` are HTML. */
export const sendGuestPage = (reply: FastifyReply, { status, language, title, body }: ShownPage): FastifyReply => {
  const nonce = randomBytes(18).toString("base64url");
  writeHeaders(reply, { ...HEADERS, "Content-Security-Policy": policyOf(nonce) });
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .send(`<!doctype html>
<html lang="${language}" dir="${GUEST_TEXTS[language].direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>${title}</title><style nonce="${nonce}">${STYLE}</style></head>
<body><main>${body}</main></body></html>
`);
};

/** After a form was stored, so that a reload does not send it again. */
export const redirectToPage = (reply: FastifyReply, path: string): FastifyReply => {
  writeHeaders(reply, { ...HEADERS, "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", Location: path });
  return reply.code(303).send();
};
