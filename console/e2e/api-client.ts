/** Calls of the public API with a token. */
import { expect } from "vitest";

export type ApiClient = <T>(method: "GET" | "POST" | "PATCH", path: string, body?: object) => Promise<T>;

/** Returns the `data` of each answer. Every call must succeed. */
export const createApiClient =
  (url: string, token: string): ApiClient =>
  async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return ((await answer.json()) as { data: T }).data;
  };
