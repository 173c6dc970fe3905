/** Careful clients: each write has a key and is sent under it until an answer states its result. */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";
import { answerProblems, type CheckedAnswer } from "../../../../conformance/answer-check.ts";
import { sendCall } from "../../support/raw-http.ts";
import { random } from "../../support/seeded-random.ts";
import type { KillVenue } from "./fixtures.ts";

/** A write with its final answer: placing is the move to `placed`. `text` is the answer, byte for byte. */
export type LoggedWrite = {
  venue: KillVenue;
  key: string;
  path: string;
  body: object;
  /** The customer's name on the order, which no other order bears. */
  marker: string;
  orderId: string;
  to: OrderStatus;
  isDone: boolean;
  text: string;
  /** Requests whose outcome the client could not know: the connection broke, or the service was unavailable. */
  unknown: number;
};

export type ClientLog = {
  writes: LoggedWrite[];
  /** Requests that wait for their answer. */
  open: number;
  /** How often each answer came. */
  answers: Map<string, number>;
  /** Answers that nothing explains. */
  strange: string[];
};

export type KillClients = {
  log: ClientLog;
  /** No new orders: each client brings its last one to an end. */
  finish(): Promise<void>;
  /** One more order in each venue, all the way. */
  serveOneMore(): Promise<void>;
  /** Sends a write again as it was; how the answer differs from the first, or null. */
  repeat(write: LoggedWrite): Promise<string | null>;
  close(): void;
};

type PostWrite = (request: Pick<LoggedWrite, "venue" | "path" | "key" | "body">) => Promise<CheckedAnswer>;

export type ClientSettings = { port: number; venues: KillVenue[]; count: number; seed: number; name: string };

const PAUSE_MS = 40;
const AGAIN_AFTER_MS = 60;
/** Two clients move one order in so many at once, and one of them is refused. */
const CONTESTED_ONE_IN = 6;

export const startClients = ({ port, venues, count, seed, name }: ClientSettings): KillClients => {
  const agent = new Agent({ keepAlive: true, maxSockets: count * 2 });
  const log: ClientLog = { writes: [], open: 0, answers: new Map(), strange: [] };
  let [isOver, isClosed] = [false, false];
  const post: PostWrite = async ({ venue, path, key, body }) => {
    if (isClosed) throw new TypeError("The clients are closed");
    const call = { token: venue.token, method: "POST", path };
    log.open++;
    const answer = await sendCall({ ...call, port, agent, headers: { "idempotency-key": key }, body }).finally(() => log.open--);
    const problems = answerProblems(call, answer);
    if (problems.length > 0) log.strange.push(`POST ${path} → ${answer.status}: ${problems.join("; ")}`);
    return answer;
  };
  const all = Array.from({ length: count }, async (_, number) => {
    const pick = random(seed + number);
    const pause = () => sleep(pick(2 * PAUSE_MS));
    for (let turn = 0; !isOver; turn++) {
      const venue = venues[pick(venues.length)] as KillVenue;
      const order = { venue, marker: `${name} ${number}-${turn}`, phone: `+1 555 01${number}` };
      await serveOrder({ log, post, pause }, order, pick(CONTESTED_ONE_IN) === 0);
    }
  });
  // finish() reports a failure; without it, a failure must not end the process.
  for (const client of all) client.catch(() => undefined);
  return {
    log,
    async finish() {
      isOver = true;
      await Promise.all(all);
    },
    async serveOneMore() {
      const pause = () => Promise.resolve();
      for (const venue of venues)
        await serveOrder({ log, post, pause }, { venue, marker: `${name} last ${venue.slug}`, phone: "+1 555 0199" }, false);
    },
    async repeat(write) {
      const answer = await post(write);
      if (answer.headers.get("idempotent-replayed") !== "true") return `not a replay: ${write.key} → ${answer.status}`;
      return answer.text === write.text ? null : `another answer than the first: ${write.key} → ${answer.text}`;
    },
    close() {
      [isOver, isClosed] = [true, true];
      agent.destroy();
    },
  };
};

type Tools = { log: ClientLog; post: PostWrite; pause: () => Promise<unknown> };
type OrderPlan = { venue: KillVenue; marker: string; phone: string };

const serveOrder = async (tools: Tools, { venue, marker, phone }: OrderPlan, isContested: boolean): Promise<void> => {
  const lines = [{ item_id: venue.itemId, quantity: 1 }];
  const body = { type: "pickup", customer_name: marker, customer_phone: phone, lines };
  const placed = await write(tools, { venue, marker, to: "placed", orderId: "" }, body);
  const move = async (to: OrderStatus): Promise<boolean> => {
    await tools.pause();
    return (await write(tools, { venue, marker, to, orderId: placed.orderId }, { status: to })).isDone;
  };
  const [isAccepted] = await Promise.all([move("accepted"), isContested ? move("rejected") : false]);
  if (!isAccepted) return;
  await move("ready");
  await move("completed");
};

type Intent = Pick<LoggedWrite, "venue" | "marker" | "to" | "orderId">;

/** Repeats the call with its key until the answer is complete, and says that it is done or that the order's state forbids it. */
const write = async ({ log, post, pause }: Tools, intent: Intent, body: object): Promise<LoggedWrite> => {
  const path = intent.to === "placed" ? "/orders" : `/orders/${intent.orderId}/status`;
  const key = `${intent.marker} ${intent.to}`;
  for (let unknown = 0; ; ) {
    await pause();
    const answer = await post({ venue: intent.venue, path, key, body }).catch((error: NodeJS.ErrnoException) => {
      if (error instanceof TypeError) throw error;
      return error;
    });
    const kind = answer instanceof Error ? (answer.code ?? answer.message) : kindOf(answer);
    log.answers.set(kind, (log.answers.get(kind) ?? 0) + 1);
    if (!(answer instanceof Error) && (answer.status < 300 || kind === "409 invalid_transition")) {
      const isDone = answer.status < 300;
      const orderId = isDone ? (answer.body as { data: { id: string } }).data.id : intent.orderId;
      const made: LoggedWrite = { ...intent, key, path, body, orderId, isDone, text: answer.text, unknown };
      log.writes.push(made);
      return made;
    }
    if (!(answer instanceof Error) && !EXPECTED.includes(kind)) log.strange.push(`POST ${path} → ${answer.status} ${answer.text}`);
    if (!HARMLESS.includes(kind)) unknown++;
    await sleep(AGAIN_AFTER_MS);
  }
};

const IN_USE = "409 idempotency_key_in_use";
/** Nothing of these requests can have been done. */
const HARMLESS = [IN_USE, "ECONNREFUSED"];
const EXPECTED = [IN_USE, "503 service_unavailable"];

const kindOf = ({ status, body, headers }: CheckedAnswer): string => {
  if (status < 300) return headers.get("idempotent-replayed") === "true" ? `${status} replayed` : `${status}`;
  return `${status} ${(body as { error?: { code?: string } } | null)?.error?.code ?? "without a code"}`;
};
