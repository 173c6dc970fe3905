/** What guests, owners and apps wrote reaches the operator's terminal and agents without a character that either would obey. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { plainText } from "#lib/plain-text.ts";
import { createToken } from "#platform/programs/tokens/service.ts";
import { sendMessage } from "../../test/support/mcp-clients.ts";
import { bundled } from "../../test/support/shared-by-files.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../test/support/test-app.ts";
import { print } from "./print.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const HOSTILE = "Eve\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u{e0049}\u{e0067}\u200b";

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const body = { name: HOSTILE, phone: `+1 555 0100${"\u001b[31m"}`, party_size: 2, date: "2026-12-01", time: "19:00", note: HOSTILE };
  const { status, text } = await app.call(lab.token, "POST", "/reservations", { body });
  expect(status, text).toBe(201);
  await forVenue(app.deps, lab.slug, (ctx) =>
    createToken(ctx, { kind: "api", name: HOSTILE, scopes: ["menu:read"], ratePerMinute: null, expiresAt: null }),
  );
});
afterAll(() => app.close());

const comandaAdmin = async (...args: string[]): Promise<string> => {
  const main = await bundled(MAIN);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, DATABASE_URL: app.database.appUrl } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.on("close", () => resolve(output));
  });
};

test.each(
  [
    ["booking", "list", "lab", "--from", "2026-11-01"],
    ["token", "list", "lab"],
    ["messages", "lab"],
    ["audit", "lab"],
    ["booking", "list", "lab", "--from", "2026-11-01", "--json"],
    ["staff", "list", HOSTILE],
  ].map((args) => ({ args })),
)("comanda-admin $args.0 prints nothing that a terminal obeys", async ({ args }) => {
  const output = await comandaAdmin(...args);
  expect(output.length).toBeGreaterThan(20);
  expect(plainText(output)).toBe(output);
});

test("a sentence with a name in it is printed without them too", () => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  print(false, null, () => `Erased ${HOSTILE}.`);
  const output = String(write.mock.lastCall?.[0]);
  write.mockRestore();
  expect(output).toBe(`Erased ${plainText(HOSTILE)}.\n`);
});

test("the names are still there", async () => {
  expect(await comandaAdmin("booking", "list", "lab", "--from", "2026-11-01")).toContain("Eve [2J");
  const answer = await comandaAdmin("booking", "list", "lab", "--from", "2026-11-01", "--json");
  const [booking] = JSON.parse(answer.slice(answer.indexOf("[")));
  expect(booking.name).toBe(HOSTILE);
});

test("an agent reads a name without characters that a person does not see", async () => {
  const server = app.app;
  const { body } = await sendMessage(server, lab.token, { method: "tools/call", params: { name: "list_reservations", arguments: {} } });
  const { structuredContent, content } = body.result;
  const [booking] = structuredContent.data.filter(({ name }: { name: string }) => name.startsWith("Eve"));
  expect(booking.name).toBe(plainText(HOSTILE));
  expect(plainText(content[0].text)).toBe(content[0].text);
  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
});
