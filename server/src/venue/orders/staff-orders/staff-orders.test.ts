/** Orders that staff take, over HTTP: the form, the guest who calls, the quote, and the order in one commit. */
import { randomUUID } from "node:crypto";
import type { KnownGuest, OrderForm, OrderQuote } from "@comanda/contract/console/staff-orders.ts";
import { ORDER_REFUSALS, refusalSentence } from "@comanda/contract/venue/order-refusals.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let staff: TestUser;
let form: OrderForm;

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  staff = await createUser(app, lab.slug, "staff", "sam@lab.example");
  form = (await staff.call("GET", `/venues/${lab.slug}/order-form`)).body.data;
});
afterAll(() => app.close());

const dishNamed = (name: string) => {
  const dish = form.dishes.find((one) => one.name.en === name);
  if (!dish) throw new Error(name);
  return dish;
};
const quote = async (body: object): Promise<OrderQuote> => {
  const { status, body: answer, text } = await staff.call("POST", `/venues/${lab.slug}/order-quotes`, { body });
  expect(status, text).toBe(200);
  return answer.data;
};
const place = (body: object, key: string = randomUUID(), who = staff) =>
  who.call("POST", `/venues/${lab.slug}/orders`, { body, headers: { "idempotency-key": key } });
const plain = () => ({ item_id: dishNamed("Plain Plate").id, quantity: 2 });
const ADA = { customer_name: "Ada", customer_phone: "+1 555 0100" };
const count = async (table: string): Promise<number> =>
  (await app.database.asOwner<{ count: number }>(`select count(*)::integer from ${table} where restaurant_id = $1`, [lab.id]))[0]?.count ??
  0;

describe("the form", () => {
  test("it has the venue's types, tables with a code, and dishes that are sold, each modifier group once", () => {
    expect(form.types.toSorted()).toEqual(["delivery", "dine_in", "pickup"]);
    expect(form.tables.length).toBeGreaterThan(0);
    expect(dishNamed("Sized Salad").sizes.length).toBeGreaterThan(1);
    const ids = form.groups.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const dish of form.dishes) for (const id of dish.group_ids) expect(ids).toContain(id);
    const categories = new Set(form.categories.map(({ id }) => id));
    for (const { category_id } of form.dishes) expect(categories).toContain(category_id);
  });
});

describe("the quote", () => {
  test("it equals the order that is then placed, and stores nothing", async () => {
    const wanted = { type: "pickup", lines: [plain(), { item_id: dishNamed("Hydrogen Fizz").id, quantity: 1 }] };
    const before = [await count("orders"), await count("audit_entries"), await count("changes")];
    const quoted = await quote(wanted);
    expect([await count("orders"), await count("audit_entries"), await count("changes")]).toEqual(before);
    expect(quoted.refusals).toEqual([]);
    const placed = await place({ ...wanted, ...ADA });
    expect(placed.status, placed.text).toBe(201);
    const { order, promised_at } = placed.body.data;
    expect(quoted.amounts).toEqual(Object.fromEntries(Object.keys(quoted.amounts ?? {}).map((name) => [name, order[name]])));
    expect(quoted.lines.map(({ line_total_minor }) => line_total_minor)).toEqual(
      order.items.map(({ line_total_minor }: { line_total_minor: number }) => line_total_minor),
    );
    expect(quoted.promised_at).toBe(promised_at);
  });

  test("each refusal has the field, the reason and its values; its sentence is the one of the API", async () => {
    const soldOut = { item_id: dishNamed("Sold-Out Sole").id, quantity: 1 };
    const sized = { item_id: dishNamed("Sized Salad").id, quantity: 1 };
    const wanted = { type: "dine_in", table_code: "nowhere", lines: [plain(), soldOut, sized] };
    const quoted = await quote(wanted);
    expect(quoted.refusals).toEqual([
      { field: "table_code", reason: "unknown_table", values: {} },
      { field: "lines.1.item_id", reason: "sold_out", values: expect.objectContaining({ dish: "Sold-Out Sole" }) },
      { field: "lines.2.variant_id", reason: "size_required", values: expect.objectContaining({ dish: "Sized Salad" }) },
    ]);
    expect(quoted.lines.map(({ index }) => index)).toEqual([0]);
    const refused = await app.call(lab.token, "POST", "/orders", { body: { ...wanted, ...ADA } });
    expect(refused.body.error.details).toEqual(
      Object.fromEntries(quoted.refusals.map(({ field, ...refusal }) => [field, [refusalSentence(refusal)]])),
    );
  });

  test("every brace of a sentence is filled by a value", () => {
    for (const [reason, sentence] of Object.entries(ORDER_REFUSALS)) {
      const names = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
      const values = Object.fromEntries(names.map((name) => [name, 7]));
      expect(refusalSentence({ reason: reason as keyof typeof ORDER_REFUSALS, values })).not.toMatch(/[{}]|undefined/);
    }
  });
});

describe("the guest who calls", () => {
  const known = async (phone: string): Promise<KnownGuest | null> =>
    (await staff.call("GET", `/venues/${lab.slug}/order-guest?phone=${encodeURIComponent(phone)}`)).body.data;

  test("a number that was never seen has no guest; after an order by phone it has one, however it is written", async () => {
    expect(await known("+49 30 901820")).toBeNull();
    const wanted = {
      type: "delivery",
      customer_name: "Grace",
      customer_phone: "+49 30 901820",
      delivery_address: { line1: "5 Hill Road", city: form.delivery_cities[0] ?? "Berlin" },
      lines: [{ ...plain(), quantity: 9 }],
    };
    const placed = await place(wanted);
    expect(placed.status, placed.text).toBe(201);
    expect(placed.body.data.order).toMatchObject({ channel: "phone", type: "delivery", customer: { name: "Grace" } });
    expect(await known("+4930/90 18-20")).toMatchObject({ name: "Grace", delivery_address: { line1: "5 Hill Road" } });
    const types = await app.database.asOwner<{ type: string }>(
      "select type from events where restaurant_id = $1 order by id desc limit 2",
      [lab.id],
    );
    expect(types.map(({ type }) => type).toSorted()).toEqual(["guest.created", "order.created"]);
  });

  test("a number without its country code finds the one guest whose number ends in it; none when there are two, or when it is short", async () => {
    await place({ type: "pickup", customer_name: "Ada", customer_phone: "+49 170 5550199", lines: [{ ...plain(), quantity: 1 }] });
    expect(await known("0170 555 01 99")).toMatchObject({ name: "Ada", phone: "+49 170 5550199" });
    expect(await known("5550199")).toBeNull();
    expect(await known("+43 170 5550199")).toBeNull();
    await place({ type: "pickup", customer_name: "Bea", customer_phone: "+43 170 5550199", lines: [{ ...plain(), quantity: 1 }] });
    expect(await known("0170 555 01 99")).toBeNull();
    expect(await known("+43 170 5550199")).toMatchObject({ name: "Bea", phone: "+43 170 5550199" });
  });

  test("another venue does not know the guest", async () => {
    const other = await app.venue("gulf-cafe");
    const colleague = await createUser(app, other.slug, "staff", "omar@gulf.example");
    const { body } = await colleague.call("GET", `/venues/${other.slug}/order-guest?phone=${encodeURIComponent("+49 30 901820")}`);
    expect(body.data).toBeNull();
  });
});

describe("the order", () => {
  test("for a table it needs no name, creates no guest, and has the channel of the counter", async () => {
    const guests = await count("guests");
    const { status, body, text } = await place({ type: "dine_in", table_code: form.tables[0]?.code, lines: [plain()], note: "window" });
    expect(status, text).toBe(201);
    expect(body.data.order).toMatchObject({
      channel: "pos",
      customer: { name: null, phone: null },
      table: { code: form.tables[0]?.code },
      note: "window",
    });
    expect(body.data.number).toBeGreaterThan(0);
    expect(await count("guests")).toBe(guests);
    const seen = await app.call(lab.token, "GET", `/orders/${body.data.order.id}`);
    expect(seen.body.data).toEqual(body.data.order);
    const [entry] = await app.database.asOwner<{ actor_name: string }>(
      "select actor_name from audit_entries where action = 'order.placed' and subject_id = $1",
      [body.data.order.id],
    );
    expect(entry?.actor_name).toBe("sam");
  });

  test("pickup and delivery need a name and a phone number", async () => {
    for (const type of ["pickup", "delivery"]) {
      const refused = await place({ type, lines: [plain()] });
      expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([422, ["customer_name", "customer_phone"]]);
    }
  });

  test("sent twice with one key it is one order", async () => {
    const [key, before] = [randomUUID(), await count("orders")];
    const body = { type: "pickup", ...ADA, lines: [plain()] };
    const answers = await Promise.all([place(body, key), place(body, key)]);
    const again = await place(body, key);
    expect(again.status).toBe(201);
    expect(await count("orders")).toBe(before + 1);
    for (const answer of answers.filter(({ status }) => status === 201)) expect(answer.body.data.order.id).toBe(again.body.data.order.id);
  });

  test("a lapsed or suspended venue takes none", async () => {
    const suspended = "update restaurants set suspended_at = now() where id = $1";
    await app.database.asOwner(suspended, [lab.id]);
    expect((await place({ type: "pickup", ...ADA, lines: [plain()] })).body.error.code).toBe("restaurant_suspended");
    await app.database.asOwner("update restaurants set suspended_at = null where id = $1", [lab.id]);
  });
});
