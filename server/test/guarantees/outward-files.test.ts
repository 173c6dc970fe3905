/** No file of the service lets text out by a way that `text-ways-out.test.ts` does not walk. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

type Way = "answer" | "agent" | "event stream" | "mail" | "message between processes" | "metrics" | "page" | "terminal" | "webhook";

/** What leads out of the process: sockets, other programs, the terminal, files. */
const OUTWARD =
  /from "node:(?:http|https|net|tls)"|nodemailer|\bfetch\(|process\.std(?:out|err)|\.publish\(|\breply\b[\s\S]{0,120}\.send\(|\braw\.(?:write|end)|socket\.end|writeFileSync\(/;

/** The way in which each file sends text out; "none": it passes on no text of users. */
const WAY_OF: Record<string, Way | "none"> = {
  "cells/src/proxy-commands.ts": "none",
  "cells/src/proxy-map.ts": "none",
  "server/src/admin/main.ts": "terminal",
  "server/src/admin/print.ts": "terminal",
  "server/src/admin/venue.ts": "terminal",
  "server/src/compose/publish-changes.ts": "message between processes",
  "server/src/healthcheck.ts": "none",
  "server/src/http/api/waiting-calls.ts": "event stream",
  "server/src/http/console/change-stream.ts": "none",
  "server/src/http/console/static-files.ts": "none",
  "server/src/http/docs/api-reference.ts": "none",
  "server/src/http/docs/cached-document.ts": "none",
  "server/src/http/docs/site.ts": "none",
  "server/src/http/event-stream.ts": "none",
  "server/src/http/guest-pages/html.ts": "page",
  "server/src/http/mcp/mcp-server.ts": "agent",
  "server/src/http/oauth/endpoints.ts": "answer",
  "server/src/http/oauth/error-page.ts": "page",
  "server/src/http/ops/client-errors.ts": "answer",
  "server/src/http/ops/graceful-shutdown.ts": "none",
  "server/src/http/ops/health.ts": "metrics",
  "server/src/http/ops/pipelining-limit.ts": "none",
  "server/src/http/ops/socket-limits.ts": "none",
  "server/src/http/reply.ts": "answer",
  "server/src/http/static-file.ts": "none",
  "server/src/lib/address-list.ts": "none",
  "server/src/lib/network-source.ts": "none",
  "server/src/main.ts": "terminal",
  "server/src/platform/messages/notifications/send.ts": "mail",
  "server/src/platform/events/webhooks/send/connection.ts": "webhook",
  "server/src/platform/events/webhooks/send/post.ts": "webhook",
  "server/src/platform/events/webhooks/send/sender.ts": "webhook",
};

const ROOT = join(import.meta.dirname, "../../..");
/** What `npm run dev` prints stays on the developer's machine. */
const outwardFiles = (read = (file: string): string => readFileSync(join(ROOT, file), "utf8")): string[] =>
  globSync(["server/src/**/*.ts", "cells/src/**/*.ts"], { cwd: ROOT })
    .filter((file) => !file.endsWith(".test.ts") && !file.startsWith("server/src/dev/") && OUTWARD.test(read(file)))
    .sort();

test("no file lets text out by a way that is not here", () => {
  expect(outwardFiles()).toEqual(Object.keys(WAY_OF).sort());
});

test("planted: a file that begins to write to the terminal is found", () => {
  const planted = "server/src/venue/orders/service.ts";
  const read = (file: string): string => (file === planted ? "process.stdout.write(note)" : readFileSync(join(ROOT, file), "utf8"));
  expect(outwardFiles(read)).toContain(planted);
});
