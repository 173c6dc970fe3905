/** Every move from every state, asked for by many at once over two processes: one winner for a legal move, none for another. */
import { Agent } from "node:http";
import { ORDER_STATUSES, type OrderStatus } from "@comanda/contract/venue/orders.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerProblems, type CheckedAnswer } from "../../../conformance/answer-check.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const CALLERS = process.env.TEST_STRESS ? 20 : 8;
const ROUNDS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 50 : 1));
const REASON = "Kitchen on fire";

/** The contract's table (§3.1), written down a second time on purpose: the server must agree with it, not be its source. */
const LEGAL = [
  "placed→accepted",
  "placed→rejected",
  "placed→cancelled",
  "accepted→ready",
  "accepted→cancelled",
  "ready→completed",
  "ready→cancelled",
];
const REQUESTS = ORDER_STATUSES.filter((status) => status !== "placed");
const WAY_TO: Record<OrderStatus, OrderStatus[]> = {
  placed: [],
  accepted: ["accepted"],
  rejected: ["rejected"],
  ready: ["accepted", "ready"],
  completed: ["accepted", "ready", "completed"],
  cancelled: ["accepted", "cancelled"],
};
/** What the kitchen has at the end: what is ready is out of the kitchen; a cancel takes tickets back, and with a reason it keeps them as voided. */
const TICKETS: Record<OrderStatus, string> = {
  placed: "queued",
  accepted: "fired",
  rejected: "withdrawn",
  ready: "done",
  completed: "done",
  cancelled: "withdrawn",
};

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let lines: { item_id: number; quantity: number }[];

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab", (file) => {
    for (const category of file.menus.flatMap((menu) => menu.categories)) category.station = category.key === "elements" ? "bar" : null;
  });
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  const dish = (name: string) => data.find((item: { name: { en: string } }) => item.name.en === name).id;
  lines = ["Plain Plate", "Neon Nachos"].map((name) => ({ item_id: dish(name), quantity: 1 }));
  fleet = await createFleet(app.database.appUrl);
});
afterAll(async () => {
  await fleet.close();
  await app.close();
});

type PostStatus = (path: string, body: object) => Promise<CheckedAnswer>;

const postTo =
  (port: number, agent: Agent): PostStatus =>
  async (path, body) => {
    const call = { token: lab.token, method: "POST", path };
    const answer = await sendCall({ ...call, port, agent, body });
    expect(answerProblems(call, answer), `POST ${path} → ${answer.status} ${answer.text}`).toEqual([]);
    return answer;
  };

type StatusRace = {
  orderId: string;
  from: OrderStatus;
  to: OrderStatus;
  reason: string | null;
  wins: number;
  refusals: number;
  other: string[];
};

const dataOf = ({ body }: CheckedAnswer) => (body as { data: { id: string; status: OrderStatus } }).data;

const isRefusalOf = ({ status, body }: CheckedAnswer): boolean =>
  status === 409 && (body as { error: { code: string } }).error.code === "invalid_transition";

/** One order is brought to its start through the API; then all callers ask for the same move. */
const runMove = async (
  post: PostStatus,
  from: OrderStatus,
  to: OrderStatus,
  { phone, reason }: { phone: string; reason: string | null },
) => {
  const placed = await post("/orders", { type: "pickup", customer_name: "Ada", customer_phone: phone, lines });
  const orderId = dataOf(placed).id;
  for (const status of WAY_TO[from]) expect((await post(`/orders/${orderId}/status`, { status })).status).toBe(200);
  const answers = await Promise.all(Array.from({ length: CALLERS }, () => post(`/orders/${orderId}/status`, { status: to, reason })));
  const won = answers.filter((answer) => answer.status === 200);
  const other = answers.filter((answer) => answer.status !== 200 && !isRefusalOf(answer)).map(({ status, text }) => `${status} ${text}`);
  const race: StatusRace = { orderId, from, to, reason, wins: won.length, refusals: answers.filter(isRefusalOf).length, other };
  if (won.some((answer) => dataOf(answer).status !== to)) race.other.push("a winner was shown another status");
  return race;
};

/** A cancel comes with a reason in every other round. */
const runRounds = async (post: PostStatus, rounds: number, moves: [OrderStatus, OrderStatus][]): Promise<StatusRace[]> => {
  const races: StatusRace[] = [];
  for (let round = 0; round < rounds; round++)
    for (const [from, to] of moves)
      races.push(await runMove(post, from, to, { phone: `+1 555 6${round}`, reason: round % 2 === 0 ? REASON : null }));
  return races;
};

type StoredOrderState = { status: OrderStatus; path: string[]; audit: string[]; tickets: string[] };

/** What the database holds of every order: where it is, and how it says it got there. */
const readStored = async (): Promise<Map<string, StoredOrderState>> => {
  const rows = await app.database.asOwner<StoredOrderState & { id: string }>(
    `with told as (select body::jsonb #>> '{data,order,id}' as id,
            array_agg(concat(body::jsonb #>> '{data,previous_status}', '→', body::jsonb #>> '{data,order,status}')) as path
          from events where type = 'order.status_changed' group by 1),
       entries as (select subject_id as id, array_agg(concat(before ->> 'status', '→', after ->> 'status')) as audit
          from audit_entries where action = 'order.moved' group by 1),
       kitchen as (select order_id::text as id, array_agg(concat_ws(' ', station, state, void_reason) order by station) as tickets
          from tickets group by 1)
     select id, status, coalesce(path, '{}') as path, coalesce(audit, '{}') as audit, coalesce(tickets, '{}') as tickets
     from (select id::text, status from orders) o left join told using (id) left join entries using (id) left join kitchen using (id)`,
  );
  return new Map(rows.map((row) => [row.id, row]));
};

const ticketsAt = (end: OrderStatus, { to, reason, wins }: StatusRace): string[] => {
  const isVoided = to === "cancelled" && wins > 0 && reason !== null;
  return ["bar", "kitchen"].map((station) => (isVoided ? `${station} voided ${reason}` : `${station} ${TICKETS[end]}`));
};

/** The moves of an order, each once. No state is visited twice, so they form one path whatever the order they are read in. */
const areMoves = (told: string[], expected: string[]): boolean => told.toSorted().join() === expected.toSorted().join();

const problemsOf = (race: StatusRace, kept: StoredOrderState | undefined): string[] => {
  const { from, to, wins, refusals, other } = race;
  const isLegal = LEGAL.includes(`${from}→${to}`);
  const problems = [...other];
  if (wins !== (isLegal ? 1 : 0) || refusals !== CALLERS - wins) problems.push(`${wins} winners, ${refusals} refusals`);
  const way: OrderStatus[] = ["placed", ...WAY_TO[from], ...(isLegal ? [to] : [])];
  const expected = way.slice(1).map((status, index) => `${way[index]}→${status}`);
  const end = way.at(-1) ?? "placed";
  const { status, path, audit, tickets } = kept ?? { status: "gone", path: [], audit: [], tickets: [] };
  if (status !== end) problems.push(`ended ${status}`);
  if (!areMoves(path, expected)) problems.push(`events tell ${path}`);
  if (!areMoves(audit, expected)) problems.push(`the audit log tells ${audit}`);
  if (path.some((step) => !LEGAL.includes(step))) problems.push("the history is no legal path");
  if (tickets.join() !== ticketsAt(end, race).join()) problems.push(`the kitchen has ${tickets}`);
  return problems.map((problem) => `${from}→${to}: ${problem}`);
};

const verifyRaces = async (races: StatusRace[]): Promise<string[]> => {
  const kept = await readStored();
  return races.flatMap((race) => problemsOf(race, kept.get(race.orderId)));
};

const ALL_MOVES = ORDER_STATUSES.flatMap((from) => REQUESTS.map((to): [OrderStatus, OrderStatus] => [from, to]));

test(`D102 D103 ${ALL_MOVES.length} moves × ${CALLERS} callers at once × ${ROUNDS} over two processes: one winner each, history legal`, {
  timeout: 900_000,
}, async () => {
  const servers = [await fleet.start(), await fleet.start()];
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const begin = performance.now();
  const races = await runRounds(postTo(fleet.port, agent), ROUNDS, ALL_MOVES);
  const seconds = (performance.now() - begin) / 1000;
  const problems = await verifyRaces(races);
  const sum = (count: (race: StatusRace) => number) => races.reduce((total, race) => total + count(race), 0);
  const moved = sum(({ from, wins }) => WAY_TO[from].length + wins);
  const [{ events, entries } = { events: 0, entries: 0 }] = await app.database.asOwner<{ events: number; entries: number }>(
    `select (select count(*)::integer from events where type = 'order.status_changed') as events,
            (select count(*)::integer from audit_entries where action = 'order.moved') as entries`,
  );
  console.log(
    `${races.length} races × ${CALLERS}: ${sum((race) => race.wins)} winners, ${sum((race) => race.refusals)} × 409, ` +
      `${moved} moves = ${events} events = ${entries} audit entries, ${problems.length} problems, ${seconds.toFixed(1)} s`,
  );
  expect(problems).toEqual([]);
  expect([events, entries]).toEqual([moved, moved]);
  const visits = await app.database.asOwner("select sum(visits_count)::integer as visits from guests where phone like '+1 555 6%'");
  expect(visits).toEqual([{ visits: sum(({ from, to, wins }) => (from === "completed" || (to === "completed" && wins === 1) ? 1 : 0)) }]);
  // The kernel distributes the connections; a race within one process alone would prove little.
  for (const server of servers) expect(server.output().split('"answered"').length).toBeGreaterThan(races.length);
  agent.destroy();
});

test.each([
  ["without the row lock", false],
  ["without the row lock and without the guard on the status", true],
])("planted fault: read-then-write %s has many winners, and the same check says so", async (name, isGuardGone) => {
  const careless = faultInjectingPool(({ text, ...rest }) => {
    if (/^\s*select id, status.* for update$/s.test(text)) return { ...rest, text: text.replace(/ for update$/, "") };
    if (!isGuardGone || !text.startsWith('update "orders"')) return null;
    return { ...rest, text: text.replace(/"status" = (\$\d+)$/, "$1::text is not null") };
  });
  const faulty = await startApp({ database: app.database, pool: careless });
  const post: PostStatus = (path, body) => faulty.call(lab.token, "POST", path, { body });
  const moves: [OrderStatus, OrderStatus][] = [
    ["placed", "accepted"],
    ["ready", "completed"],
  ];
  const races = await repeatUntilDetected(
    () => runRounds(post, 1, moves),
    (run) => run.some(({ wins }) => wins > 1),
  );
  await faulty.close();
  const problems = await verifyRaces(races);
  console.log(`${name}: winners ${races.map(({ wins }) => wins)}, ${problems.length} problems`);
  expect(races.some(({ wins }) => wins > 1)).toBe(true);
  expect(problems.some((problem) => /winners/.test(problem))).toBe(true);
  expect(problems.some((problem) => /events tell/.test(problem))).toBe(true);
});
