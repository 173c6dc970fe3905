/** Each typical mistake of an integrator is answered with the status and code of the contract, and in words that name the cure. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "../../src/admin/sandbox.ts";
import { newApp } from "../support/marketplace.ts";
import { idMistakes, pathMistakes, tokenMistakes } from "../support/mistakes/access.ts";
import { answerText, type Mistake, type MistakeAnswer, type MistakeWorld } from "../support/mistakes/mistake.ts";
import { oauthMistakes } from "../support/mistakes/oauth.ts";
import { amountMistakes, bodyMistakes, keyMistakes, limitMistakes, listMistakes, transportMistakes } from "../support/mistakes/requests.ts";
import { fieldMistakes, ruleMistakes } from "../support/mistakes/rules.ts";
import { plainDish } from "../support/operation-calls.ts";
import { prepareRefusals, type RefusalCase } from "../support/refusal-cases.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

let app: TestApp;
let world: MistakeWorld;
let cases: RefusalCase[];

beforeAll(async () => {
  app = await startApp();
  cases = await prepareRefusals(app);
  const [row] = await app.database.asOwner<{ id: string }>("select id from restaurants where slug = 'lab'");
  const lab = { slug: "lab", id: Number(row?.id), token: await app.token("lab") };
  const [foreign, plain] = [await app.venue("gulf-cafe"), await plainDish(app.database, lab.id)];
  const { port } = new URL(await app.app.http.listen({ host: "127.0.0.1", port: 0 }));
  const sandboxToken = (await createSandbox(app.deps, lab.slug, 1_000_000))?.token ?? expect.fail("no sandbox");
  world = { app, lab, plain, foreign, sandboxToken, port: Number(port), client: await newApp(app.deps) };
});
afterAll(() => app.close());

const wrongIn = ({ sent, status, code, cure }: Mistake, got: MistakeAnswer): string[] =>
  got.status === status && got.code === code && cure.test(got.text) ? [] : [`${sent}: ${got.status} ${got.code} ${got.text.slice(0, 600)}`];

/** Keeps only the code of the answer. */
const withoutCure = (got: MistakeAnswer): MistakeAnswer => ({ ...got, text: answerText({ code: got.code }, new Headers()) });

const AREAS: Record<string, (given: MistakeWorld) => Mistake[] | Promise<Mistake[]>> = {
  tokens: tokenMistakes,
  paths: pathMistakes,
  ids: idMistakes,
  rules: (given) => ruleMistakes(given, cases),
  fields: fieldMistakes,
  bodies: bodyMistakes,
  lists: listMistakes,
  keys: keyMistakes,
  limits: limitMistakes,
  amounts: amountMistakes,
  transport: transportMistakes,
  OAuth: oauthMistakes,
};

test.each(Object.entries(AREAS))(
  "mistakes about %s are answered with their cure",
  async (area, mistakesOf) => {
    const [wrong, unnoticed]: [string[], string[]] = [[], []];
    const mistakes = await mistakesOf(world);
    for (const mistake of mistakes) {
      const got = await mistake.send();
      wrong.push(...wrongIn(mistake, got));
      // Planted: the code alone names no cure.
      if (mistake.status >= 400 && wrongIn(mistake, withoutCure(got)).length === 0) unnoticed.push(mistake.sent);
    }
    console.info(`${mistakes.length - wrong.length} of ${mistakes.length} mistakes about ${area} name their cure`);
    expect(wrong).toEqual([]);
    expect(unnoticed).toEqual([]);
  },
  60_000,
);

test("D18 an unknown id and another restaurant's are answered alike, byte for byte", async () => {
  const [theirs] = (await app.call(world.foreign.token, "GET", "/items?per_page=1")).body.data;
  const [unknown, foreign] = await Promise.all([9_999_999, theirs.id].map((id) => app.call(world.lab.token, "GET", `/items/${id}`)));
  expect(foreign?.text).toBe(unknown?.text);
  const [live, none] = await Promise.all(["clock", "clocks"].map((name) => app.call(world.lab.token, "POST", `/sandbox/${name}`)));
  expect([live?.status, live?.text]).toEqual([none?.status, none?.text]);
});
