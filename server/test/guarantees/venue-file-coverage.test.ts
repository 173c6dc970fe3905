/**
 * Whatever a venue file holds can be changed in the console: every property of the file's schema is in the body of a console call. Both
 * sides come from the contract. The import of a file is no such call: it takes the file as a text.
 */
import { type ConsoleOperationId, consoleOperations } from "@comanda/contract/console/operations.ts";
import { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { expect, test } from "vitest";

type FileShape = {
  enum?: unknown[];
  properties?: Record<string, FileShape>;
  items?: FileShape;
  anyOf?: FileShape[];
};
type BodyPlace = `${ConsoleOperationId}${string}`;

/** The place where a console call takes a part of the file. Below it, properties have the same names in both. */
const AREAS: Record<string, BodyPlace> = {
  restaurant: "saveRestaurant.restaurant",
  branches: "saveBranches.branches",
  tables: "saveFloor.tables",
  table_combinations: "saveFloor.combinations",
  menus: "saveMenu.menus.value",
  "menus.categories": "saveMenu.categories.value",
  "menus.categories.items": "saveMenu.items.value",
  modifier_groups: "saveMenu.modifier_groups.value",
  happy_hours: "saveMenu.happy_hours.value",
  ingredients: "saveIngredient.ingredient",
  recipes: "saveRecipe.recipes",
  experiences: "saveExperience.experience",
  ordering: "saveOrdering.ordering",
  booking: "saveBookingRules.rules",
  charges: "saveCharges.charges",
  reviews: "saveReviewRules.rules",
  shifts: "saveShiftRules.rules",
  staff: "inviteMember",
  guests: "changeGuestDetails.details",
};

/** Properties that a call of their own changes, or that have another name there. */
const ELSEWHERE: Record<string, BodyPlace> = {
  "tables.branch": "saveFloor.branch_id",
  "menus.categories.items.is_available": "setDishToday.to",
  "modifier_groups.options.is_available": "setOptionToday.to",
  "staff.locale": "inviteMember.language",
  "guests.marketing_opted_in": "recordGuestConsent.is_given",
  "guests.marketing_opted_in_at": "recordGuestConsent.is_given",
  "guests.staff_note": "setGuestNote.note",
};

/** No console call changes these, each for its reason. */
const FIXED: Record<string, string> = {
  "restaurant.slug": "It is the venue's address in links and tokens.",
  "restaurant.currency": "Amounts of past orders are kept without their currency.",
  "restaurant.plan": "The operator sells it.",
};

/** Lists and alternatives are passed through: a path names properties alone. */
const membersOf = ({ properties, items, anyOf }: FileShape): [string, FileShape][] => [
  ...Object.entries(properties ?? {}),
  ...(items ? membersOf(items) : []),
  ...(anyOf ?? []).flatMap(membersOf),
];

const memberOf = (shape: FileShape | undefined, name: string): FileShape | undefined =>
  shape && membersOf(shape).find(([own]) => own === name)?.[1];

/** Undefined when no call has such a place in its body. */
const bodyAt = (place: string): FileShape | undefined => {
  const [id = "", ...names] = place.split(".");
  const { body } = (consoleOperations as Record<string, { body?: FileShape }>)[id] ?? {};
  return names.reduce(memberOf, body);
};

/** A key distinguishes an entry from the others, and one value alone leaves nothing to change. */
const isIdentity = (name: string, shape: FileShape): boolean => name === "key" || shape.enum?.length === 1;

/** The properties of the file that no call changes. `place` is where a call takes what is walked; undefined outside of the areas. */
const unchangeable = (shape: FileShape, path: readonly string[] = [], place?: string): string[] =>
  membersOf(shape).flatMap(([name, member]) => {
    const own = [...path, name];
    const inFile = own.join(".");
    if (isIdentity(name, member) || inFile in FIXED) return [];
    const inBody = ELSEWHERE[inFile] ?? AREAS[inFile] ?? (place && `${place}.${name}`);
    if (inBody === undefined || bodyAt(inBody) === undefined) return [inFile];
    return unchangeable(member, own, inBody);
  });

const FILE = VenueFile as FileShape;

test("every property of a venue file can be changed by a console call", () => {
  expect(unchangeable(FILE)).toEqual([]);
});

const pathsOf = (shape: FileShape, path: readonly string[] = []): string[] =>
  membersOf(shape).flatMap(([name, member]) => [[...path, name].join("."), ...pathsOf(member, [...path, name])]);

test("what the lists above name is in the file, and no call changes what is fixed", () => {
  const paths = new Set(pathsOf(FILE));
  expect(paths.size).toBeGreaterThan(90);
  for (const path of [...Object.keys(AREAS), ...Object.keys(ELSEWHERE), ...Object.keys(FIXED)]) expect(paths).toContain(path);
  for (const path of Object.keys(FIXED)) expect(bodyAt(`${AREAS.restaurant}.${path.replace("restaurant.", "")}`)).toBeUndefined();
});

/** A copy with one more property in the object at this path. */
const planted = (shape: FileShape, path: readonly string[]): FileShape => {
  const [name, ...rest] = path;
  if (shape.items) return { ...shape, items: planted(shape.items, path) };
  if (shape.anyOf) return { ...shape, anyOf: shape.anyOf.map((one) => (one.properties || one.items ? planted(one, path) : one)) };
  const { properties = {} } = shape;
  if (name === undefined) return { ...shape, properties: { ...properties, planted: {} } };
  return { ...shape, properties: { ...properties, [name]: planted(properties[name] ?? {}, rest) } };
};

const hasMembers = (path: string): boolean => {
  const shape = path.split(".").reduce(memberOf, FILE as FileShape | undefined);
  return shape !== undefined && membersOf(shape).length > 0;
};

test("planted: a new property is named, in whichever object of the file it is", () => {
  const objects = pathsOf(FILE).filter(hasMembers);
  expect(objects.length).toBeGreaterThan(20);
  expect(unchangeable(planted(FILE, []))).toEqual(["planted"]);
  for (const path of objects) expect(unchangeable(planted(FILE, path.split(".")))).toEqual([`${path}.planted`]);
});
