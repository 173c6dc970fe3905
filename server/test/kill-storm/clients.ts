/** Careful clients: each write has a key and is sent under it until an answer says what became of it. */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { OrderStatus } from "@comanda/contract/orders.ts";
import { type Answer, answerProblems } from "../../../conformance/answer-check.ts";
import { random } from "../seed.ts";
import { sendCall } from "../wire.ts";
import type { House } from "./houses.ts";

/** A write that was answered for good: placing is the move to `placed`. `text` is the answer, byte for byte. */
export type Write = {
  house: House;
  key: string;
  path: string;
  body: object;
  /** The customer's name on the order, which no other order bears. */
  marker: string;
  orderId: string;
  to: OrderStatus;
  isDone: boolean;
  text: string;
  /** Requests whose outcome nobody could know: the connection broke, or the service was unavailable. */
  unknown: number;
};

export type ClientLog = {
  writes: Write[];
  /** How often each answer came. */
  answers: Map<string, number>;
  /** Answers that nothing explains. */
  strange: string[];
};

export type Clients = {
  log: ClientLog;
  /** No new orders: each client brings its last one to an end. */
  finish(): Promise<void>;
  /** One more order in each house, all the way. */
  serveOneMore(): Promise<void>;
  /** Sends a write again as it was; how the answer differs from the first, or null. */
  repeat(write: Write): Promise<string | null>;
  close(): void;
};

type Post = (request: Pick<Write, "house" | "path" | "key" | "body">) => Promise<Answer>;

export type ClientsWanted = { port: number; houses: House[]; count: number; seed: number; name: string };

const PAUSE_MS = 40;
const AGAIN_AFTER_MS = 60;
/** One order in so many is wanted by two at once, of whom one is refused. */
const CONTESTED_ONE_IN = 6;

export const startClients = ({ port, houses, count, seed, name }: ClientsWanted): Clients => {
  const agent = new Agent({ keepAlive: true, maxSockets: count * 2 });
  const log: ClientLog = { writes: [], answers: new Map(), strange: [] };
  let [isOver, isClosed] = [false, false];
  const post: Post = async ({ house, path, key, body }) => {
    if (isClosed) throw new TypeError("Nobody waits for an answer any more");
    const call = { token: house.token, method: "POST", path };
    const answer = await sendCall({ ...call, port, agent, headers: { "idempotency-key": key }, body });
    const problems = answerProblems(call, answer);
    if (problems.length > 0) log.strange.push(`POST ${path} → ${answer.status}: ${problems.join("; ")}`);
    return answer;
  };
  const all = Array.from({ length: count }, async (_, number) => {
    const pick = random(seed + number);
    const pause = () => sleep(pick(2 * PAUSE_MS));
    for (let turn = 0; !isOver; turn++) {
      const house = houses[pick(houses.length)] as House;
      const order = { house, marker: `${name} ${number}-${turn}`, phone: `+1 555 01${number}` };
      await serveOrder({ log, post, pause }, order, pick(CONTESTED_ONE_IN) === 0);
    }
  });
  // Of use only to whoever waits for them.
  for (const client of all) client.catch(() => undefined);
  return {
    log,
    async finish() {
      isOver = true;
      await Promise.all(all);
    },
    async serveOneMore() {
      const pause = () => Promise.resolve();
      for (const house of houses)
        await serveOrder({ log, post, pause }, { house, marker: `${name} last ${house.slug}`, phone: "+1 555 0199" }, false);
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

type Tools = { log: ClientLog; post: Post; pause: () => Promise<unknown> };
type Wanted = { house: House; marker: string; phone: string };

const serveOrder = async (tools: Tools, { house, marker, phone }: Wanted, isContested: boolean): Promise<void> => {
  const lines = [{ item_id: house.itemId, quantity: 1 }];
  const body = { type: "pickup", customer_name: marker, customer_phone: phone, lines };
  const placed = await write(tools, { house, marker, to: "placed", orderId: "" }, body);
  const move = async (to: OrderStatus): Promise<boolean> => {
    await tools.pause();
    return (await write(tools, { house, marker, to, orderId: placed.orderId }, { status: to })).isDone;
  };
  const [isAccepted] = await Promise.all([move("accepted"), isContested ? move("rejected") : false]);
  if (!isAccepted) return;
  await move("ready");
  await move("completed");
};

type Intent = Pick<Write, "house" | "marker" | "to" | "orderId">;

/** The same key until the answer is complete, and says that it is done or that the order's state forbids it. */
const write = async ({ log, post, pause }: Tools, intent: Intent, body: object): Promise<Write> => {
  const path = intent.to === "placed" ? "/orders" : `/orders/${intent.orderId}/status`;
  const key = `${intent.marker} ${intent.to}`;
  for (let unknown = 0; ; ) {
    await pause();
    const answer = await post({ house: intent.house, path, key, body }).catch((error: NodeJS.ErrnoException) => {
      if (error instanceof TypeError) throw error;
      return error;
    });
    const kind = answer instanceof Error ? (answer.code ?? answer.message) : kindOf(answer);
    log.answers.set(kind, (log.answers.get(kind) ?? 0) + 1);
    if (!(answer instanceof Error) && (answer.status < 300 || kind === "409 invalid_transition")) {
      const isDone = answer.status < 300;
      const orderId = isDone ? (answer.body as { data: { id: string } }).data.id : intent.orderId;
      const made: Write = { ...intent, key, path, body, orderId, isDone, text: answer.text, unknown };
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

const kindOf = ({ status, body, headers }: Answer): string => {
  if (status < 300) return headers.get("idempotent-replayed") === "true" ? `${status} replayed` : `${status}`;
  return `${status} ${(body as { error?: { code?: string } } | null)?.error?.code ?? "without a code"}`;
};
