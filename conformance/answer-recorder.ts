/** `CONFORMANCE_RECORD=FILE` appends every answer to FILE, so that two versions of a service can be compared byte by byte. */
import { appendFileSync } from "node:fs";
import { expect } from "vitest";
import type { CheckedAnswer, Request } from "./answer-check.ts";

const FILE = process.env.CONFORMANCE_RECORD;

/** Ids, times and random texts differ in each run. Everything else must be equal. */
const VARYING: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "<uuid>"],
  [/\d{4}-\d{2}-\d{2}T\d{2}(:|%3A)\d{2}(:|%3A)\d{2}(\.\d+)?(Z|([+-]|%2B| )\d{2}(:|%3A)\d{2})?/g, "<time>"],
  [/\d{4}-\d{2}-\d{2}/g, "<date>"],
  [/\b\d{2}:\d{2}(:\d{2})?\b/g, "<clock>"],
  [/svc_[a-z]+_\w+/g, "<token>"],
  [/127\.0\.0\.1:\d+/g, "<host>"],
  [/\b\d{4,}\b/g, "<number>"],
  [/\b[\w-]{20,}\b/g, "<random>"],
];

const VARYING_HEADERS = [
  "date",
  "x-request-id",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "retry-after",
  "etag",
  "content-length",
  "connection",
  "keep-alive",
];

const fixed = (text: string): string => VARYING.reduce((left, [pattern, name]) => left.replaceAll(pattern, name), text);

export const recordAnswer = ({ method, path }: Request, { status, headers, text }: Omit<CheckedAnswer, "body">): void => {
  if (FILE === undefined) return;
  const kept = [...headers].filter(([name]) => !VARYING_HEADERS.includes(name)).map(([name, value]) => `${name}: ${fixed(value)}`);
  const test = expect.getState().currentTestName ?? "";
  appendFileSync(FILE, `${JSON.stringify([test, method, fixed(path), status, kept.sort(), fixed(text)])}\n`);
};
