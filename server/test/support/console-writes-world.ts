/** The venues, people and helpers of the scenarios in `console-writes-*.ts`. Each scenario makes its own subject. */
import type { ConsoleOperation } from "@comanda/contract/console/operation.ts";
import { type ConsoleOperationId, consoleOperations } from "@comanda/contract/console/operations.ts";
import type { Static, TObject } from "typebox";
import { placeLabOrder } from "./console-bodies.ts";
import { type ConsoleCallOptions, createUser, type TestUser } from "./console-client.ts";
import { type ExperienceTools, experienceTools } from "./experiences.ts";
import { pairScreen, type TestScreen } from "./paired-screen.ts";
import { newEncryptionKeys } from "./review-links.ts";
import { type ShiftTools, shiftTools, type TestMember } from "./shifts.ts";
import { type StockTools, stockTools } from "./stock.ts";
import { startApp, type TestApp, type TestVenue } from "./test-app.ts";

type Operations = typeof consoleOperations;
export type WrittenCallId = { [Id in ConsoleOperationId]: Operations[Id] extends { isIdempotent: true } ? Id : never }[ConsoleOperationId];

type WrittenBodyOf<O> = O extends { body: infer B extends TObject } ? { body: Static<B> } : { body?: undefined };
/** `venue` is the lab's where none is given. `by`: another caller than the lab's owner. */
export type ValidWrite<Id extends ConsoleOperationId> = WrittenBodyOf<Operations[Id]> & { params?: Params; by?: ConsoleCallOptions };
type Params = Record<string, string | number>;
export type Scenarios<Ids extends WrittenCallId = WrittenCallId> = { [Id in Ids]: (world: WritesWorld) => Promise<ValidWrite<Id>> };

export type WritesWorld = {
  app: TestApp;
  lab: TestVenue;
  /** Settings that would stand in the way of other scenarios are changed in this venue. */
  cafe: TestVenue;
  owner: TestUser;
  cafeOwner: TestUser;
  screen: TestScreen;
  member: TestMember;
  shifts: ShiftTools;
  stock: StockTools;
  experiences: ExperienceTools;
  /** A call of the lab's owner that must succeed: method and path below the venue. Returns its data. */
  done: ExperienceTools["done"];
  order(changes?: Record<string, unknown>): Promise<string>;
  /** As an order of the API, whose steps a venue takes. */
  move(order: string, ...statuses: string[]): Promise<void>;
  dish(name: string): Promise<number>;
  phone(): string;
  /** A day to come that no other scenario has. */
  day(): string;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const TABLES = 40;

export const openWorld = async (): Promise<WritesWorld> => {
  const app = await startApp({ environment: { ENCRYPTION_KEYS: newEncryptionKeys(), SIGN_UP: "open", SIGN_UP_PLAN: "complete" } });
  const lab = await app.venue("lab", (file) => {
    file.tables = Array.from({ length: TABLES }, (_, index) => {
      const key = `t${index}`;
      return { key, branch: "main", name: `Table ${index}`, code: key, seats: 4, is_active: true };
    });
    file.table_combinations = [];
  });
  const cafe = await app.venue("gulf-cafe");
  const owner = await createUser(app, lab.slug, "owner");
  const cafeOwner = await createUser(app, cafe.slug, "owner");
  const experiences = experienceTools(app, lab, owner);
  const shifts = await shiftTools(app, lab, owner);
  const screen = await pairScreen(app, lab.slug, owner);
  let [phones, days] = [0, 0];
  const phone = (): string => `+1 555 ${String(++phones).padStart(4, "0")}`;
  const found = { app, lab, cafe, owner, cafeOwner, screen, shifts, experiences, done: experiences.done, phone };
  return {
    ...found,
    member: await shifts.person("Mia"),
    stock: await stockTools(app, lab, owner),
    order: (changes) => placeLabOrder(app, lab, { customer_phone: phone(), ...changes }),
    day: () => new Date(app.clock.now().getTime() + (10 + ++days) * DAY_MS).toISOString().slice(0, 10),
    async move(order, ...statuses) {
      for (const status of statuses) {
        const moved = await app.call(lab.token, "POST", `/orders/${order}/status`, { body: { status } });
        if (moved.status !== 200) throw new Error(moved.text);
      }
    },
    async dish(name) {
      const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
      return data.find((item: { name: { en: string } }) => item.name.en === name).id;
    },
  };
};

export const operationOf = (id: string): ConsoleOperation => consoleOperations[id as ConsoleOperationId];

export const screenOf = ({ screen }: WritesWorld): ConsoleCallOptions => ({ cookie: null, screen: screen.cookie });
