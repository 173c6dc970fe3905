/** Every table can be ordered for: the service makes the code that was not chosen by hand, and keeps the one that is printed on the table. */
import { randomUUID } from "node:crypto";
import type { PlanTable, VenueFloor } from "@comanda/contract/console/floor.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import { collectVenueFile } from "#venue/setup/venue-file/service.ts";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { faultInjectingPool, type InjectedFault } from "../../../../test/support/fault-injection.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

type CodeGround = { app: TestApp; lab: TestVenue; manager: TestUser };

const open = async (plant?: InjectedFault): Promise<CodeGround> => {
  const app = await startApp(plant ? { pool: faultInjectingPool(plant) } : {});
  const lab = await app.venue("lab", (file) => {
    const branch = file.branches.find(({ is_default }) => is_default)?.key ?? "";
    file.tables = ["one", "two"].map((key) => ({ key, branch, name: key, code: null, seats: 2, is_active: true }));
    file.table_combinations = [];
  });
  return { app, lab, manager: await createUser(app, lab.slug, "manager", "max@lab.example") };
};

let ground: CodeGround;

beforeAll(async () => {
  ground = await open();
});
afterAll(() => ground.app.close());

const readFloor = async ({ manager, lab }: CodeGround): Promise<VenueFloor> =>
  (await manager.call("GET", `/venues/${lab.slug}/floor`)).body.data;
const save = async (on: CodeGround, change: (tables: PlanTable[]) => object[]): Promise<VenueFloor> => {
  const { branches, tables } = await readFloor(on);
  const branch = branches.find(({ id }) => id === tables[0]?.branch_id);
  const plain = change(tables).map((table) => {
    const { key: _, branch_id: __, ...wanted } = table as PlanTable;
    return wanted;
  });
  const body = { branch_id: branch?.id, seen_version: branch?.version, tables: plain, combinations: [] };
  const saved = await on.manager.call("PUT", `/venues/${on.lab.slug}/floor`, { body, headers: { "idempotency-key": randomUUID() } });
  expect(saved.status, saved.text).toBe(200);
  return saved.body.data;
};
/** The tables that an order cannot name, or that share a code. */
const unnamed = async (on: CodeGround): Promise<string[]> => {
  const { tables } = await readFloor(on);
  const form = (await on.manager.call("GET", `/venues/${on.lab.slug}/order-form`)).body.data as {
    tables: { code: string; name: string }[];
  };
  return tables
    .filter(({ name, code }) => code === null || form.tables.filter((one) => one.code === code && one.name === name).length !== 1)
    .map(({ name }) => name);
};
const NEW = { id: null, name: "three", code: null, seats: 2, is_active: true, place: null, shape: "square" };

test("tables of a file and of the plan without a code get one that cannot be guessed, and each is in New order", async () => {
  expect((await save(ground, (tables) => [...tables, NEW])).tables).toHaveLength(3);
  expect(await unnamed(ground)).toEqual([]);
  const codes = (await readFloor(ground)).tables.map(({ code }) => code ?? "");
  expect([new Set(codes).size, codes.every((code) => /^[a-z2-9]{12}$/.test(code))]).toEqual([3, true]);
});

test("a code stays: after another save, after an import without it, and when it was set by hand", async () => {
  await save(ground, ([first, ...others]) => [{ ...first, code: "T1" }, ...others]);
  const before = (await readFloor(ground)).tables.map(({ code }) => code);
  expect(before[0]).toBe("T1");
  await save(ground, ([first, ...others]) => [{ ...first, seats: 4 }, ...others]);
  const { app, lab } = ground;
  const file = await forVenue(app.deps, lab.slug, collectVenueFile);
  await importVenue(app.deps, { ...file, tables: file.tables.map(({ code: _, ...table }) => ({ ...table, code: null })) });
  expect((await readFloor(ground)).tables.map(({ code }) => code)).toEqual(before);
});

test("a code that was emptied by hand becomes another one", async () => {
  const [before] = (await readFloor(ground)).tables;
  const [after] = (await save(ground, ([first, ...others]) => [{ ...first, code: null }, ...others])).tables;
  expect([after?.code === before?.code, after?.code]).toEqual([false, expect.stringMatching(/^[a-z2-9]{12}$/)]);
});

test("planted: tables that keep no code are found", async () => {
  const codeless: InjectedFault = (statement) => {
    if (!/insert into "dining_tables"/.test(statement.text)) return null;
    const empty = (value: unknown) => (typeof value === "string" ? value.replaceAll(/"code":"\w{12}"/g, '"code":null') : value);
    return { ...statement, values: (statement.values ?? []).map(empty) };
  };
  const faulty = await open(codeless);
  expect(await unnamed(faulty)).toEqual(["one", "two"]);
  await faulty.app.close();
});
