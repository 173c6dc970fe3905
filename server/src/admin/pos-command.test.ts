/** The commands for the kitchen and the point of sale. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminRun, comandaAdmin as run } from "../../test/support/run-admin.ts";
import { startApp, type TestApp, type TestVenue } from "../../test/support/test-app.ts";

const ENCRYPTION_KEYS = `test:${randomBytes(32).toString("base64")}`;

let app: TestApp;
let lab: TestVenue;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
});
afterAll(() => app.close());

const comandaAdmin = (args: string[], environment: Record<string, string> = { ENCRYPTION_KEYS }): Promise<AdminRun> =>
  run(args, { DATABASE_URL: app.database.appUrl, ...environment });
const json = async (...args: string[]) => JSON.parse((await comandaAdmin([...args, "--json"])).stdout);

const place = async (): Promise<string> => {
  const items = (await app.call(lab.token, "GET", "/items?per_page=100")).body.data;
  const plain = items.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain"));
  const body = { type: "pickup", customer_name: "Ada", customer_phone: "1", lines: [{ item_id: plain.id, quantity: 2 }] };
  return (await app.call(lab.token, "POST", "/orders", { body })).body.data.id;
};

test("connect shows the secret once, list shows the pushes, disconnect ends it; the kitchen shows its tickets", async () => {
  const connected = await json("pos", "connect", "lab", "--url", "https://pos.example/orders");
  expect(connected).toEqual({ slug: "lab", url: "https://pos.example/orders", secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{40}$/) });
  const orderId = await place();
  const [push, ...others] = await json("pos", "list", "lab");
  expect(others).toEqual([]);
  expect(push).toMatchObject({ order_id: orderId, state: "queued", attempts: 0, last_status: null, explanation: "" });
  expect(JSON.stringify(push)).not.toContain(connected.secret);
  expect(await json("kitchen", "lab")).toEqual([
    expect.objectContaining({ order_id: orderId, state: "queued", lines: [expect.objectContaining({ quantity: 2 })] }),
  ]);
  expect((await comandaAdmin(["kitchen", "lab"])).stdout).toMatch(/^ID +ORDER +STATION +STATE +LINES/);
  expect(await json("pos", "disconnect", "lab")).toEqual({ slug: "lab", connected: false });
}, 120_000);

test("a mistake is one sentence that says what to do", async () => {
  const mistakes: [string[], Record<string, string>, RegExp][] = [
    [["pos", "connect", "lab", "--url", "https://pos.example/"], { ENCRYPTION_KEYS: "" }, /ENCRYPTION_KEYS is not set.*openssl rand/],
    [["pos", "connect", "lab", "--url", "http://pos.example/"], { ENCRYPTION_KEYS }, /must start with https/],
    [["pos", "connect", "lab", "--url", "https://10.0.0.1/"], { ENCRYPTION_KEYS }, /private or special network/],
    [["pos", "list", "lab"], { ENCRYPTION_KEYS: "short" }, /ENCRYPTION_KEYS must be a list/],
  ];
  for (const [args, environment, sentence] of mistakes) {
    const { code, stdout, stderr } = await comandaAdmin(args, environment);
    expect(code, args.join(" ")).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/ {4}at /);
  }
}, 120_000);
