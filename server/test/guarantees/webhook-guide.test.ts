/** The receivers that the guide shows are run as they stand there, and are sent what the service would send them. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signatureOf } from "#platform/events/webhooks/sign.ts";
import { freePort } from "../support/processes.ts";

const GUIDE = readFileSync(new URL("../../../docs/guide/developer/webhooks.md", import.meta.url), "utf8");
const [SECRET, NEXT_SECRET] = [`whsec_${"a1B2".repeat(10)}`, `whsec_${"c3D4".repeat(10)}`];
const BODY = JSON.stringify(EVENT_SAMPLES["order.created"]);
const SEEN = `${EVENT_SAMPLES["order.created"].type} ${EVENT_SAMPLES["order.created"].id}`;
const FIVE_MINUTES_MS = 300_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "comanda-guide-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The one block of that language, as it stands in the guide. */
const blockOf = (language: string): string => {
  const blocks = [...GUIDE.matchAll(/```(\w+)[^\n]*\n([\s\S]*?)```/g)].filter(([, name]) => name === language);
  expect(blocks).toHaveLength(1);
  return blocks[0]?.[2] ?? "";
};

/** `jam` makes the first handling fail; `rememberFirst` is the fault that would lose the event then. */
const RECEIVERS = [
  {
    language: "js",
    program: process.execPath,
    file: "receiver.mjs",
    jam: ["    handle(event);", '    if (!globalThis.jammed) throw new Error((globalThis.jammed = "jammed"));\n    handle(event);'],
    rememberFirst: ["if (!seen.has(event.id)) {", "if (!seen.has(event.id)) {\n    seen.add(event.id);"],
  },
  {
    language: "python",
    program: "python3",
    file: "receiver.py",
    jam: [
      "            handle(event)",
      '            if not globals().get("jammed"):\n                globals()["jammed"] = True\n                raise RuntimeError("jammed")\n            handle(event)',
    ],
    rememberFirst: ['if event["id"] not in seen:', 'if event["id"] not in seen:\n            seen.add(event["id"])'],
  },
] as const;

describe.each(RECEIVERS)("the receiver in $language", ({ language, program, file, jam, rememberFirst }) => {
  const isThere = spawnSync(program, ["--version"]).status === 0;
  let receiver: ChildProcess | undefined;
  let output = "";
  let url = "";

  const start = async (plants: (readonly [string, string])[] = []) => {
    receiver?.kill("SIGKILL");
    const port = await freePort();
    const path = join(folder, file);
    let text = blockOf(language);
    for (const [from, to] of plants) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    writeFileSync(path, text);
    output = "";
    url = `http://127.0.0.1:${port}/comanda`;
    receiver = spawn(program, [path], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, WEBHOOK_SECRET: SECRET, PORT: String(port) },
    });
    receiver.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const refuses = () => send("", "").catch(() => null);
    for (const deadline = Date.now() + 100_000; (await refuses()) !== 401; await sleep(50))
      if (Date.now() > deadline || receiver.exitCode !== null) throw new Error(`${file} does not answer`);
  };
  beforeEach(() => start());
  afterEach(() => void receiver?.kill("SIGKILL"));

  const send = async (body: string, signature: string): Promise<number> =>
    (await fetch(url, { method: "POST", body, headers: { "Content-Type": "application/json", "Service-Signature": signature } })).status;
  const signed = (secrets: string[], ageMs = 0, body = BODY): string => signatureOf(body, secrets, new Date(Date.now() - ageMs));

  test.skipIf(!isThere)("D175 takes what we signed, and the same event only once", async () => {
    expect(await send(BODY, signed([SECRET]))).toBe(204);
    expect(await send(BODY, signed([SECRET]))).toBe(204);
    expect(await send(BODY, signed([SECRET], FIVE_MINUTES_MS - 10_000))).toBe(204);
    await expect.poll(() => output.trim()).toBe(SEEN);
  });

  const sendPastJam = async (plants: (readonly [string, string])[]) => {
    await start([jam, ...plants]);
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) statuses.push(await send(BODY, signed([SECRET])));
    return statuses;
  };

  test.skipIf(!isThere)("an event whose handling failed is handled when it comes again, once", async () => {
    expect(await sendPastJam([])).toEqual([500, 204, 204]);
    await expect.poll(() => output.trim()).toBe(SEEN);
  });

  test.skipIf(!isThere)("planted: remembered before it is handled, the event is lost", async () => {
    expect(await sendPastJam([rememberFirst])).toEqual([500, 204, 204]);
    expect(output).toBe("");
  });

  test.skipIf(!isThere)("D176 takes it while a secret is being replaced, whichever of the two it knows", async () => {
    expect(await send(BODY, signed([NEXT_SECRET, SECRET]))).toBe(204);
    expect(await send(BODY, signed([SECRET, NEXT_SECRET]))).toBe(204);
    await expect.poll(() => output.trim()).toBe(SEEN);
  });

  test.skipIf(!isThere)("refuses a changed body, an old time, another secret, and whatever is no signature", async () => {
    const right = signed([SECRET]);
    const t = /^t=(\d+),v1=/.exec(right)?.[1];
    const wrong: Record<string, [string, string]> = {
      "a changed body": [BODY.replace("placed", "completed"), right],
      "the same JSON, written again": [JSON.stringify(JSON.parse(BODY), null, 1), right],
      "an old time": [BODY, signed([SECRET], FIVE_MINUTES_MS + 5000)],
      "a time to come": [BODY, signed([SECRET], -FIVE_MINUTES_MS - 5000)],
      "an old signature under a new time": [BODY, signed([SECRET], FIVE_MINUTES_MS * 2).replace(/^t=\d+/, `t=${t}`)],
      "another secret": [BODY, signed([NEXT_SECRET])],
      "two other secrets": [BODY, signed([NEXT_SECRET, `${SECRET}x`])],
      "no time": [BODY, right.replace(/^t=\d+,/, "")],
      "no number for a time": [BODY, right.replace(/^t=\d+/, "t=²")],
      "no signature": [BODY, `t=${t}`],
      "an empty signature": [BODY, `t=${t},v1=`],
      "a signature cut short": [BODY, right.slice(0, -1)],
      "letters that are none": [BODY, `t=${t},v1=${"é".repeat(64)}`],
    };
    for (const [what, [body, signature]] of Object.entries(wrong)) expect(await send(body, signature), what).toBe(401);
    expect(output).toBe("");
  });
});
