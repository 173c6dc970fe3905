/** Two linters of OpenAPI find nothing in the document. */
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";

type DocumentWithInfo = { info: Record<string, unknown> };

const document = (): DocumentWithInfo => structuredClone(openapiDocument("http://127.0.0.1:4000")) as DocumentWithInfo;

/** What Redocly's strict rules and Spectral's rules for OpenAPI find. Both are libraries here: neither sends anything. */
const lint = async (described: DocumentWithInfo): Promise<string[]> => {
  const source = JSON.stringify(described);
  const config = await createConfig({ extends: ["recommended-strict"] });
  const strict = await lintFromString({ source, absoluteRef: "openapi.json", config });
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas] } as never);
  const found = await linter.run(source);
  return [...strict.map(({ ruleId, message }) => `${ruleId}: ${message}`), ...found.map(({ code, message }) => `${code}: ${message}`)];
};

test("two linters find nothing, and each sees a planted fault", async () => {
  expect(await lint(document())).toEqual([]);
  const unlicensed = document();
  delete unlicensed.info.license;
  expect(await lint(unlicensed)).toEqual([expect.stringContaining("info-license")]);
  const anonymous = document();
  delete anonymous.info.contact;
  expect(await lint(anonymous)).toEqual([expect.stringContaining("info-contact")]);
}, 60_000);
