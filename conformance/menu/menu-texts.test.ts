/** Names and descriptions: a plain text or a map of languages, on POST and PATCH. */
import { DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX } from "@comanda/contract/venue/menu.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { expectInvalid, expectInvalidAny, expectStatus } from "../expectations.ts";
import { activeVenues, lab } from "../target.ts";
import { addDish, changeDish, createDish, dishBody, itemOf, patchDish, readDish } from "./dishes.ts";
import { categoryFor, labFloor } from "./floor.ts";

let category_id: number;
const language = lab.default_language;

beforeAll(async () => {
  category_id = (await labFloor()).home.id;
});

const create = (parts: Record<string, unknown>) => createDish(lab, dishBody(category_id, parts));

describe("on POST", () => {
  for (const venue of activeVenues)
    test(`R1-03 a plain name is taken as ${venue.slug}'s default language`, async () => {
      const dish = await addDish(venue, await categoryFor(venue), { name: "Soup", description: "Hot" });
      expect(dish.name).toEqual({ [venue.default_language]: "Soup" });
      expect(dish.description).toEqual({ [venue.default_language]: "Hot" });
    });

  test("R1-04 a map comes back as it was sent, null kept", async () => {
    for (const name of [{ en: "Soup", fr: null }, { ar: "شوربة", "pt-BR": "Sopa" }, { "zh-Hant": "湯" }]) {
      const { id } = await addDish(lab, category_id, { name });
      expect((await readDish(lab, id)).name).toEqual(name);
    }
  });

  test("R1-05 a description may be a text, a map or null", async () => {
    const described = async (description: unknown) => (await addDish(lab, category_id, { description })).description;
    expect(await described("Hot")).toEqual({ [language]: "Hot" });
    expect(await described({ en: "Hot", it: "Caldo" })).toEqual({ en: "Hot", it: "Caldo" });
    expect(await described(null)).toBeNull();
  });

  test("R1-05 a blank or empty description is none", async () => {
    for (const description of ["", "  ", {}]) expect((await addDish(lab, category_id, { description })).description).toBeNull();
  });

  test("R4.1-14 422 name for what is no text", async () => {
    for (const name of ["", "   ", "\t\n", {}, 5, true, ["Soup"], { en: " " }, { en: null }, null])
      expectInvalidAny(await create({ name }), "name", "name.en");
  });

  test("R4.1-14 422 at the language for a value that is no text, or a key that is no language", async () => {
    for (const value of [5, true, ["Soup"], {}]) expectInvalidAny(await create({ name: { en: value } }), "name", "name.en");
    for (const key of ["English", "EN", "e", "en_GB", "1"])
      expectInvalid(await create({ name: { en: "Soup", [key]: "Soup" } }), `name.${key}`);
  });

  test("R4.1-15 422 description for a number, a list or a boolean", async () => {
    for (const description of [5, ["Hot"], true]) expectInvalid(await create({ description }), "description");
    expectInvalidAny(await create({ description: { en: 5 } }), "description", "description.en");
  });
});

describe("lengths", () => {
  test(`RX-27 a name may have ${NAME_LENGTH_MAX} characters, however many bytes each has`, async () => {
    const longest = "🍜".repeat(NAME_LENGTH_MAX);
    expect((await addDish(lab, category_id, { name: longest })).name).toEqual({ [language]: longest });
    expectInvalid(await create({ name: `${longest}🍜` }), "name");
    expect((await addDish(lab, category_id, { name: { en: longest } })).name).toEqual({ en: longest });
    expectInvalidAny(await create({ name: { en: `${longest}🍜` } }), "name", "name.en");
  });

  test(`RX-27 a description may have ${DESCRIPTION_LENGTH_MAX} characters`, async () => {
    const longest = "é".repeat(DESCRIPTION_LENGTH_MAX);
    expect((await addDish(lab, category_id, { description: longest })).description).toEqual({ [language]: longest });
    expectInvalid(await create({ description: `${longest}é` }), "description");
  });

  test("RX-27 white space around a text is not part of it and does not count", async () => {
    const longest = "x".repeat(NAME_LENGTH_MAX);
    expect((await addDish(lab, category_id, { name: `  ${longest}\n` })).name).toEqual({ [language]: longest });
    expect((await addDish(lab, category_id, { name: { en: "  Soup\t" } })).name).toEqual({ en: "Soup" });
    expect((await addDish(lab, category_id, { description: " Hot soup " })).description).toEqual({ [language]: "Hot soup" });
  });

  test("RX-27 422 for a text of white space only, on POST and PATCH", async () => {
    expectInvalid(await create({ name: " \n " }), "name");
    const { id } = await addDish(lab, category_id);
    expectInvalid(await patchDish(lab, id, { name: " \n " }), "name");
  });

  test("RX-27 422 for a text with the character U+0000, which no database keeps", async () => {
    expectInvalid(await create({ name: "So\u0000up" }), "name");
    expectInvalidAny(await create({ name: { en: "So\u0000up" } }), "name", "name.en");
    expectInvalid(await create({ description: "So\u0000up" }), "description");
  });
});

describe("on PATCH", () => {
  const renamed = async (name: unknown, changed: unknown) => {
    const { id } = await addDish(lab, category_id, { name });
    const dish = await changeDish(lab, id, { name: changed });
    expect(await readDish(lab, id)).toEqual(dish);
    return dish.name;
  };

  test("R4.1-31 a plain name sets the default language and keeps the others", async () => {
    expect(await renamed({ [language]: "Soup", it: "Zuppa", fr: null }, "Broth")).toEqual({ [language]: "Broth", it: "Zuppa", fr: null });
    expect(await renamed({ it: "Zuppa" }, "Broth")).toEqual({ it: "Zuppa", [language]: "Broth" });
  });

  test("R4.1-31 a map replaces the whole name", async () => {
    expect(await renamed({ en: "Soup", it: "Zuppa" }, { fr: "Soupe" })).toEqual({ fr: "Soupe" });
  });

  test("R1-05 R4.1-30 a description may become a text, a map or null; allergens null or none", async () => {
    const { id } = await addDish(lab, category_id, { description: { it: "Calda" }, allergens: ["milk"] });
    expect((await changeDish(lab, id, { description: "Hot" })).description).toEqual({ it: "Calda", [language]: "Hot" });
    expect((await changeDish(lab, id, { description: { fr: "Chaude" } })).description).toEqual({ fr: "Chaude" });
    expect((await changeDish(lab, id, { description: null })).description).toBeNull();
    expect((await changeDish(lab, id, { description: "Hot" })).description).toEqual({ [language]: "Hot" });
    expect((await changeDish(lab, id, { allergens: [] })).allergens).toEqual([]);
    expect((await changeDish(lab, id, { allergens: null })).allergens).toBeNull();
  });

  test("R4.1-34 422 for a name or a description that is none, and the dish stays as it was", async () => {
    const before = await addDish(lab, category_id);
    for (const name of ["", {}, 5, null, ["x"]]) expectInvalid(await patchDish(lab, before.id, { name }), "name");
    for (const description of [5, ["x"], true]) expectInvalid(await patchDish(lab, before.id, { description }), "description");
    expect(await readDish(lab, before.id)).toEqual(before);
  });
});

test("R1-04 letters of every script, right-to-left marks and emoji survive", async () => {
  const name = { en: "Crème brûlée \u{1F36E}", ar: "\u200Fقهوة عربية\u200F x", he: "מרק" };
  const answer = await create({ name });
  expectStatus(answer, 201);
  expect((await readDish(lab, itemOf(answer).id)).name).toEqual(name);
});
