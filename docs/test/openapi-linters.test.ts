/** A validator and two linters of OpenAPI find nothing in the document. */
import { openapiDocument } from "@comanda/contract/openapi/document.ts";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";

type DocumentWithInfo = { info: Record<string, unknown> };
type LinterFindings = { validator: string[]; redocly: string[]; spectral: string[] };

const document = (): DocumentWithInfo => structuredClone(openapiDocument("http://127.0.0.1:4000")) as DocumentWithInfo;

/** Redocly's strict rules, and Spectral's rules for OpenAPI. All three are libraries here: none sends anything. */
const examine = async (described: DocumentWithInfo): Promise<LinterFindings> => {
  const source = JSON.stringify(described);
  const { valid, errors } = await new Validator().validate(JSON.parse(source));
  const config = await createConfig({ extends: ["recommended-strict"] });
  const strict = await lintFromString({ source, absoluteRef: "openapi.json", config });
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas] } as never);
  const found = await linter.run(source);
  return {
    validator: valid ? [] : [JSON.stringify(errors)],
    redocly: strict.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    spectral: found.map(({ code, message }) => `${code}: ${message}`),
  };
};

test("a validator and two linters find nothing", async () => {
  expect(await examine(document())).toEqual({ validator: [], redocly: [], spectral: [] });
});

test("planted: a document without a title, a license and a contact is seen by the validator and by each linter", async () => {
  const { title, license, contact, ...info } = document().info;
  expect([title, license, contact]).not.toContain(undefined);
  const { validator, redocly, spectral: found } = await examine({ ...document(), info, paths: {}, components: {}, webhooks: {} } as never);
  expect(validator).toEqual([expect.stringContaining("'title'")]);
  for (const part of ["`title`", "info-license"]) expect(redocly.join("\n")).toContain(part);
  for (const part of ['"title"', "info-contact"]) expect(found.join("\n")).toContain(part);
});
