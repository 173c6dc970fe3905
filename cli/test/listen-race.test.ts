/**
 * `listen` while connections are cut, its process is suspended and killed, and the receiver is away: every event arrives, in the order of the
 * feed. CI cuts six times; the long form a hundred times, with ten suspends.
 *
 * @long
 */

import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startService } from "../../sdk/test/running-service.ts";
import { random, SEED } from "../../server/test/support/seeded-random.ts";
import { type InstalledCli, installCli, newMachine, type RunningCommand, runCommand, startCommand } from "./installed-cli.ts";
import { type LocalReceiver, startLocalReceiver } from "./local-receiver.ts";

const IS_LONG = process.env.TEST_STRESS === "1";
const CUTS = IS_LONG ? 100 : 6;
const SUSPENDS = IS_LONG ? 10 : 1;
const KILLS = IS_LONG ? 10 : 1;
/** Longer than a call of the feed waits, now and then, so that timers run out while the process stands still. */
const SUSPEND_MS_MAX = IS_LONG ? 25_000 : 700;
const TIMEOUT_MS = IS_LONG ? 30 * 60_000 : 120_000;

const draw = random(SEED);

let cli: InstalledCli;
let service: RunningService;
let dishId: number;
beforeAll(async () => {
  [cli, service] = await Promise.all([installCli(), startService({ RATE_PER_MINUTE: "1000000" })]);
  const { data } = (await service.app.call(service.venue.token, "GET", "/items?available=true&per_page=100")).body;
  dishId = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id;
});
afterAll(async () => {
  await service?.close();
  cli?.remove();
});

type CutProxy = { port: number; cut(): void; close(): Promise<void> };

/** Passes bytes on, and cuts all connections on demand: a request or its answer is lost on the way. */
const startCutProxy = async (port: number): Promise<CutProxy> => {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
};

const call = async (path: string, body: object): Promise<string> => {
  const answer = await service.app.call(service.venue.token, "POST", path, { body });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.data.id;
};

/** Orders that move, so that each is the subject of several events. */
const write = async (isStopped: () => boolean): Promise<void> => {
  while (!isStopped()) {
    const lines = [{ item_id: dishId, quantity: 1 }];
    const id = await call("/orders", { type: "pickup", customer_name: "Ada", customer_phone: "+44 1", lines });
    for (const status of ["accepted", "ready", "completed"]) {
      await sleep(draw(40));
      await call(`/orders/${id}/status`, { status });
    }
    await sleep(draw(IS_LONG ? 200 : 60));
  }
};

type Disturbance = "cut the feed" | "cut the receiver" | "suspend" | "kill";

/** The order is random. */
const disturbances = (): Disturbance[] => {
  const all: Disturbance[] = Array.from({ length: CUTS }, (_, index) => (index % 2 === 0 ? "cut the feed" : "cut the receiver"));
  for (let count = 0; count < SUSPENDS; count++) all.splice(draw(all.length + 1), 0, "suspend");
  for (let count = 0; count < KILLS; count++) all.splice(draw(all.length + 1), 0, "kill");
  return all;
};

const idOf = ({ headers }: LocalReceiver["received"][number]): string => String(headers["service-delivery"]);
const isOk = ({ status }: LocalReceiver["received"][number]): boolean => status === 204;

type RaceFound = { lost: number; outOfOrder: number };

const race = async (main: string, planned: readonly Disturbance[]): Promise<RaceFound> => {
  const receiver = await startLocalReceiver();
  // Slow, and now and then it fails: then an event is on its way while something happens.
  const answer = async (): Promise<number> => {
    await sleep(draw(30));
    return draw(30) === 0 ? 500 : 204;
  };
  receiver.behave(answer);
  const [toService, toReceiver] = [await startCutProxy(Number(new URL(service.rootUrl).port)), await startCutProxy(receiver.port)];
  const machine = newMachine(cli.folder);
  const login = ["login", "--url", `http://127.0.0.1:${toService.port}`, "--token", service.venue.token];
  expect((await runCommand(cli.main, machine, login)).code).toBe(0);
  const start = async (): Promise<RunningCommand> => {
    const listening = startCommand(main, machine, ["listen", "--forward-to", `http://127.0.0.1:${toReceiver.port}/`]);
    await expect.poll(() => listening.stdout()).toContain("Forwarding");
    return listening;
  };
  const numbered = async (): Promise<{ id: string; subject: string }[]> =>
    service.app.database.asOwner(
      "select e.id, c.subject from events e join changes c on c.restaurant_id = e.restaurant_id and c.event_id = e.id where e.restaurant_id = $1 order by c.number, c.position",
      [service.venue.id],
    );
  const before = (await numbered()).length;
  let listening = await start();
  let isOver = false;
  const writing = write(() => isOver);
  for (const disturbance of planned) {
    await sleep(100 + draw(300));
    if (disturbance === "cut the feed") toService.cut();
    else if (disturbance === "cut the receiver") toReceiver.cut();
    else if (disturbance === "suspend") {
      listening.child.kill("SIGSTOP");
      await sleep(300 + draw(SUSPEND_MS_MAX));
      listening.child.kill("SIGCONT");
    } else {
      // While an event waits for its next attempt: it is lost when its position was stored already.
      const count = receiver.received.length;
      receiver.behave(() => 500);
      await expect.poll(() => receiver.received.slice(count).some((message) => !isOk(message))).toBe(true);
      listening.child.kill("SIGKILL");
      await listening.ended;
      receiver.behave(answer);
      listening = await start();
    }
  }
  isOver = true;
  await writing;
  receiver.behave(() => 204);
  const events = (await numbered()).slice(before);
  const last = events.at(-1)?.id ?? "";
  await expect.poll(() => receiver.received.filter(isOk).map(idOf)).toContain(last);
  listening.child.kill("SIGTERM");
  expect(await listening.ended).toBe(0);
  for (const { close } of [toService, toReceiver, receiver]) await close();

  const answered = receiver.received.filter(isOk).map(idOf);
  const first = [...new Set(answered)];
  const lost = events.filter(({ id }) => !first.includes(id)).length;
  const places = new Map(events.map(({ id }, index) => [id, index]));
  const subjects = new Map(events.map(({ id, subject }) => [id, subject]));
  const bySubject = Map.groupBy(first, (id) => subjects.get(id));
  const outOfOrder = [...bySubject.values()].filter((ids) =>
    ids.some((id, index) => index > 0 && (places.get(id) ?? 0) < (places.get(ids[index - 1] ?? "") ?? 0)),
  ).length;
  console.info(
    `listen: ${events.length} events, ${planned.length} disturbances, lost ${lost}, subjects out of order ${outOfOrder}, twice ${answered.length - first.length}, attempts ${receiver.received.length}, seed ${SEED}`,
  );
  return { lost, outOfOrder };
};

test(
  `${CUTS} disconnects, ${SUSPENDS} suspends and ${KILLS} kills: no event is lost, and none comes before an earlier one of its subject`,
  async () => {
    expect(await race(cli.main, disturbances())).toEqual({ lost: 0, outOfOrder: 0 });
  },
  TIMEOUT_MS,
);

test(
  "planted: with the position stored before the answer, an event is lost",
  async () => {
    const main = cli.withFault({
      file: "listen.js",
      from: "const result = await forward(",
      to: "onCursor(cursor);\n        const result = await forward(",
    });
    expect((await race(main, ["kill"])).lost).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);
