/** Two cells behind the real proxy: each token reaches its own, and only its own. */
import { Agent } from "node:http";
import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { ALL_SCOPES } from "@comanda/contract/scopes.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProxyFiles } from "../../../cells/src/proxy-config.ts";
import { answerProblems } from "../../../conformance/answer-check.ts";
import { forVenue, withoutVenue } from "../../src/admin/command-context.ts";
import { addStaff } from "../../src/platform/people/memberships/service.ts";
import type { RegisteredClient } from "../../src/platform/programs/apps/service.ts";
import { registerApp } from "../../src/platform/programs/apps/service.ts";
import { writeCode, writeRefreshToken } from "../../src/platform/programs/installations/rules/grant-secrets.ts";
import { renewLinkSecret, sendInvitation } from "../../src/platform/sign-in/one-time-links/service.ts";
import { createCertificate } from "../support/certificates.ts";
import { PASSWORD } from "../support/console-client.ts";
import { authorizeUrl, FORM, newPkce, REDIRECT } from "../support/marketplace.ts";
import { spellingsOf } from "../support/path-spellings.ts";
import type { ServerProcess } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import type { TestVenue } from "../support/test-app.ts";
import { cellAt, hasProxy, openCell, startProxy, type TestCell, type TestProxy } from "../support/two-cells.ts";

/** A busy machine says late that it is ready, or that it is not: a process counts as down only when it refuses the connection. */
const patient = (files: ProxyFiles): ProxyFiles => ({
  ...files,
  "haproxy.cfg": files["haproxy.cfg"].replace("timeout check 3s", "timeout check 60s").replace("expect status 200", "expect rstatus ."),
});

let cells: [TestCell, TestCell];
let venues: [TestVenue, TestVenue];
let servers: [ServerProcess, ServerProcess];
let proxy: TestProxy;

describe.runIf(hasProxy)("cells behind a proxy", () => {
  beforeAll(async () => {
    cells = await Promise.all([openCell(0), openCell(1)]);
    venues = [await cells[0].venue("lab"), await cells[1].venue("gulf-cafe")];
    servers = await Promise.all([cells[0].fleet.start(), cells[1].fleet.start()]);
    proxy = await startProxy(cells.map(cellAt), patient);
    await untilUp();
  });
  afterAll(async () => {
    await proxy?.stop();
    await Promise.all(cells.map((cell) => cell.close()));
  });

  const ask = (token: string | null, path = "/items?per_page=3", given: { port?: number; headers?: Record<string, string> } = {}) =>
    sendCall({ port: given.port ?? proxy.port, token, method: "GET", path, headers: given.headers ?? {} });

  const untilUp = async () => {
    for (let attempt = 0; attempt < 100; attempt++) {
      const [a, b] = await Promise.all([ask(venues[0].token), ask(venues[1].token)]);
      if (a.status === 200 && b.status === 200) return;
      await sleep(100);
    }
    throw new Error("The cells did not come up behind the proxy");
  };

  /** How often each of the two venues was answered by its own data, of so many calls. */
  const rightAnswers = async (port: number, count: number): Promise<number> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const answered = await Promise.all(
      Array.from({ length: count }, async (_, turn) => {
        const token = venues[turn % 2 === 0 ? 0 : 1].token;
        const call = () => sendCall({ port, agent, token, method: "GET", path: "/items?per_page=3" });
        let answer = await call();
        // A process on a busy machine may refuse. That is no answer of another cell, so it is asked again.
        for (let refusals = 0; answer.status === 503 && refusals < 50; refusals++) {
          await sleep(100);
          answer = await call();
        }
        const [first] = (answer.body as { data?: { id: number }[] }).data ?? [];
        return answer.status === 200 && (first?.id ?? -1) % 1024 === turn % 2 ? "right" : `${answer.status} ${answer.text.slice(0, 200)}`;
      }),
    );
    agent.destroy();
    const wrong = answered.filter((one) => one !== "right");
    if (wrong.length > 0) console.info(`${wrong.length} of ${count} wrong answers, such as ${wrong[0]}`);
    return count - wrong.length;
  };

  test("each token reaches its own cell, on kept connections too", async () => {
    expect(await rightAnswers(proxy.port, 200)).toBe(200);
  });

  test("planted fault: a proxy that ignores the number sends half of them to the wrong cell", async () => {
    const blind = await startProxy(cells.map(cellAt), (files) => {
      const { "haproxy.cfg": text, ...others } = patient(files);
      return { ...others, "haproxy.cfg": text.replace("var(txn.number),mod(1024)", "int(0)") };
    });
    try {
      expect(await rightAnswers(blind.port, 100)).toBe(50);
    } finally {
      await blind.stop();
    }
  });

  test("the word Bearer in any case, several spaces, the bar written as %7C", async () => {
    const [{ token }] = [venues[1]];
    for (const scheme of ["bearer", "BEARER", "BeArEr", "Bearer  "])
      expect((await ask(null, "/items", { headers: { authorization: `${scheme} ${token}` } })).status, scheme).toBe(200);
    // The cell is found; the service itself takes the bar only as it is.
    const written = await ask(null, "/items", { headers: { authorization: `Bearer ${token.replace("|", "%7C")}` } });
    expect(written.status).toBe(401);
  });

  test("what is no token, or names no cell, is refused by the default cell in the contract's shape", async () => {
    const { token } = venues[0];
    const number = token.split("|")[0] ?? "";
    const bad = [
      "unknown",
      "|svc_",
      `0|${token.split("|")[1]}`,
      `${Number(number) + 5}|${token.split("|")[1]}`,
      `99999999999999999999|${token.split("|")[1]}`,
      `9007199254740991|${token.split("|")[1]}`,
      `-1024|${token.split("|")[1]}`,
      `1e3|${token.split("|")[1]}`,
      `0x400|${token.split("|")[1]}`,
      `${number}${"|".repeat(9)}`,
    ];
    for (const bearer of [null, ...bad]) {
      const answer = await ask(bearer);
      expect([bearer, answer.status], answer.text).toEqual([bearer, 401]);
      expect(answerProblems({ token: null, method: "GET", path: "/items" }, answer)).toEqual([]);
    }
  });

  const cellThatLogged = async (requestId: string | null): Promise<number> => {
    expect(requestId).not.toBeNull();
    const find = () => servers.findIndex((server) => server.output().includes(`"${requestId}"`));
    await expect.poll(find, { interval: 20 }).not.toBe(-1);
    return find();
  };

  test("the operator's endpoints are not there, and a client cannot say where it comes from", async () => {
    for (const path of spellingsOf("/metrics", "/livez", "/readyz")) {
      const answer = await sendCall({ port: proxy.port, token: null, method: "GET", path, prefix: "" });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const asked = await ask(null, "/items", { headers: { "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9" } });
    expect(await cellThatLogged(asked.headers.get("x-request-id"))).toBe(0);
    expect(servers[0].output()).not.toContain("203.0.113.9");
    expect(servers[0].output()).toContain('"address":"127.0.0.1"');
  });

  const call = (path: string, method: string, headers: Record<string, string>, body?: string) =>
    fetch(`http://127.0.0.1:${proxy.port}${path}`, { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) });

  const post = (path: string, values: Record<string, string>, asJson = false) =>
    call(
      path,
      "POST",
      { "content-type": asJson ? "application/json" : "application/x-www-form-urlencoded" },
      asJson ? JSON.stringify(values) : new URLSearchParams(values).toString(),
    );

  let owners = 0;

  /** A new owner signs in through the proxy, in the cell that the link names. */
  const signIn = async (cell: TestCell, slug: string): Promise<string> => {
    const secret = await forVenue(cell.deps, slug, async (ctx) => {
      const email = `owner-${++owners}@cells.example`;
      await addStaff(ctx, { email, name: "Owner", role: "owner", locale: null });
      const { linkId } = await sendInvitation(ctx, email);
      return (await renewLinkSecret(ctx, linkId))?.secret ?? "";
    });
    const page = await call(`/console/link?cell=${cell.number}`, "GET", {});
    const place = /comanda-cell=(\d+)/.exec(page.headers.getSetCookie().join(";"))?.[0] ?? "";
    expect(place).toBe(`comanda-cell=${cell.number}`);
    const used = await call(
      "/console/api/links/use",
      "POST",
      { "content-type": "application/json", "sec-fetch-site": "same-origin", cookie: place },
      JSON.stringify({ secret, password: PASSWORD }),
    );
    expect(used.status, await used.clone().text()).toBe(201);
    const session = /__Host-comanda=[^;]*/.exec(used.headers.getSetCookie().join(";"))?.[0] ?? "";
    return `${place}; ${session}`;
  };

  const authorizeApp = async (cell: TestCell, slug: string, app: RegisteredClient): Promise<{ code: string; verifier: string }> => {
    const cookie = await signIn(cell, slug);
    const pkce = newPkce();
    const asked = await call(authorizeUrl(app, pkce), "GET", { cookie });
    const [, request = ""] = /^\/console\/consent\/(\w+)$/.exec(asked.headers.get("location") ?? "") ?? [];
    expect(request, `${asked.status}`).not.toBe("");
    const allowed = await call(
      `/console/api/venues/${slug}/consents`,
      "POST",
      { "content-type": "application/json", "sec-fetch-site": "same-origin", cookie },
      JSON.stringify({ request, scopes: ["menu:read", "orders:read"] }),
    );
    expect(allowed.status, await allowed.clone().text()).toBe(200);
    const { data } = (await allowed.json()) as { data: { redirect_to: string } };
    return { code: new URL(data.redirect_to).searchParams.get("code") ?? "", verifier: pkce.verifier };
  };

  for (const asJson of [false, true])
    test(`an app is authorized, refreshes and revokes in each cell, by ${asJson ? "JSON" : "form"}`, async () => {
      for (const [place, cell] of cells.entries()) {
        const app = await withoutVenue(cell.deps, (ctx) => registerApp(ctx, null, { ...FORM, scopes: ALL_SCOPES }));
        const credentials = { client_id: app.client_id, client_secret: app.client_secret };
        const { code, verifier } = await authorizeApp(cell, venues[place as 0 | 1].slug, app);
        const exchanged = await post(
          "/oauth/token",
          { grant_type: "authorization_code", code, redirect_uri: REDIRECT, code_verifier: verifier, ...credentials },
          asJson,
        );
        expect(exchanged.status, await exchanged.clone().text()).toBe(200);
        const first = (await exchanged.json()) as { refresh_token: string };
        const refreshed = await post(
          "/oauth/token",
          { grant_type: "refresh_token", refresh_token: first.refresh_token, ...credentials },
          asJson,
        );
        expect(refreshed.status, await refreshed.clone().text()).toBe(200);
        const pair = (await refreshed.json()) as { access_token: string; refresh_token: string };
        expect((await ask(pair.access_token)).status).toBe(200);
        expect((await post("/oauth/revoke", { token: pair.access_token, ...credentials }, asJson)).status).toBe(200);
        expect((await ask(pair.access_token)).status).toBe(401);
        expect((await post("/oauth/revoke", { token: pair.refresh_token, ...credentials }, asJson)).status).toBe(200);
      }
    });

  test("a code and a refresh token say their cell in every digit of their number", async () => {
    const marks: [number, number][] = [];
    for (const number of [1, 1023, 1024 * 5 + 1, 1024 * 123_456_789 + 1, Number.MAX_SAFE_INTEGER - 1022, 1024 * 999_999_999_999]) {
      for (const secret of [writeCode(number, "a".repeat(40)), writeRefreshToken(number, 3, "b".repeat(40))]) {
        const { headers } = await post("/oauth/revoke", { token: secret });
        marks.push([number % 1024 === 1 ? 1 : 0, await cellThatLogged(headers.get("x-request-id"))]);
      }
    }
    expect(marks.map(([, seen]) => seen)).toEqual(marks.map(([wanted]) => wanted));
    expect(marks.filter(([wanted]) => wanted === 1).length).toBeGreaterThanOrEqual(6);
  });

  test("over TLS every answer asks browsers to come back over TLS alone, answers of the proxy itself too", async () => {
    const { cert, key } = createCertificate(["127.0.0.1"]);
    const secure = await startProxy(cells.map(cellAt), patient, cert + key);
    const policyOf = (path: string, headers: Record<string, string> = {}): Promise<[number | undefined, unknown]> =>
      new Promise((resolve, reject) => {
        const asked = request({ host: "127.0.0.1", port: secure.port, path, headers, ca: cert, rejectUnauthorized: false }, (answer) => {
          answer.resume();
          resolve([answer.statusCode, answer.headers["strict-transport-security"]]);
        });
        asked.once("error", reject).end();
      });
    try {
      expect(await policyOf("/openapi.json")).toEqual([200, "max-age=31536000"]);
      const nowhere = { authorization: "Bearer 1|x", "x-forwarded-proto": "http" };
      expect(await policyOf("/api/v1/items", nowhere)).toEqual([401, "max-age=31536000"]);
      for (const cell of ["cell_0/0-0", "cell_1/1-0"]) await secure.command(`disable server ${cell}`);
      expect(await policyOf("/openapi.json")).toEqual([503, "max-age=31536000"]);
      const plain = await fetch(`http://127.0.0.1:${proxy.port}/openapi.json`);
      expect(plain.headers.get("strict-transport-security")).toBeNull();
    } finally {
      await secure.stop();
    }
  });

  test("a cell that is down answers 503 for its own venues, and only for them", async () => {
    await servers[1].kill();
    try {
      for (let attempt = 0; attempt < 10; attempt++) {
        const [here, there] = await Promise.all([ask(venues[0].token), ask(venues[1].token)]);
        expect(here.status).toBe(200);
        expect([there.status, there.headers.get("retry-after")], there.text).toEqual([503, "2"]);
        expect(there.body).toMatchObject({ error: { code: "service_unavailable", details: {} } });
        await sleep(50);
      }
      const refused = await post("/oauth/token", {
        grant_type: "refresh_token",
        refresh_token: writeRefreshToken(1025, 0, "x".repeat(40)),
      });
      expect([refused.status, await refused.json()]).toMatchObject([503, { error: "temporarily_unavailable" }]);
    } finally {
      servers[1] = await cells[1].fleet.start();
    }
    await untilUp();
  });
});
