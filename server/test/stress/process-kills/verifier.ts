/** Compares three records of a scenario: the answers to clients, the rows in the database, the messages to receivers. */
import type { ClientLog, LoggedWrite } from "./clients.ts";
import type { EventReceiver, KillVenue } from "./fixtures.ts";
import type { EventRow, History, StoredDelivery } from "./stored-history.ts";

export type Verification = {
  /** Acknowledged writes of which the order, the audit entry or the event is missing. */
  lost: string[];
  /** What is there twice, or without a write that was acknowledged. */
  doubled: string[];
  /** Events that a subscribed receiver never accepted, and that are not given up visibly after six attempts. */
  undelivered: string[];
  /** Bytes, signatures, paths and leftovers that are not as they must be. */
  wrong: string[];
  counts: {
    acknowledged: number;
    refused: number;
    recovered: number;
    orders: number;
    auditEntries: number;
    orderEvents: number;
    deliveries: number;
    givenUp: number;
    messages: number;
    duplicates: number;
  };
};

const ATTEMPTS_MAX = 6;

export const verify = (log: ClientLog, history: History, venues: KillVenue[]): Verification => {
  const verdict: Verification = {
    lost: [],
    doubled: [],
    undelivered: [],
    wrong: [...log.strange, ...history.stuck],
    counts: count(log, history, venues),
  };
  verifyOrders(verdict, log, history);
  verifyRecords(verdict, log, history);
  verifyDeliveries(verdict, history, venues);
  for (const venue of venues) verifyReceivedEvents(verdict, history, venue);
  verifyStatusPaths(verdict, history);
  return verdict;
};

const isAboutOrder = ({ type }: { type: string }): boolean => type === "order.created" || type === "order.status_changed";

const count = ({ writes }: ClientLog, history: History, venues: KillVenue[]): Verification["counts"] => {
  const endpoints = venues.flatMap((venue) => venue.endpoints);
  const accepted = endpoints.map(({ receipts }) => receipts.filter(({ isAccepted }) => isAccepted).map(({ eventId }) => eventId));
  return {
    acknowledged: writes.filter(({ isDone }) => isDone).length,
    refused: writes.filter(({ isDone }) => !isDone).length,
    recovered: writes.filter(({ unknown }) => unknown > 0).length,
    orders: history.orders.length,
    auditEntries: history.entries.length,
    orderEvents: history.events.filter(isAboutOrder).length,
    deliveries: history.deliveries.length,
    givenUp: history.deliveries.filter(({ state }) => state === "failed").length,
    messages: endpoints.reduce((sum, { receipts }) => sum + receipts.length, 0),
    duplicates: accepted.reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0),
  };
};

/** What is expected and not found, and what is found and not expected, each as often as it is so. */
export const differences = (expected: string[], found: string[]): { missing: string[]; surplus: string[] } => {
  const open = new Map<string, number>();
  for (const name of expected) open.set(name, (open.get(name) ?? 0) + 1);
  for (const name of found) open.set(name, (open.get(name) ?? 0) - 1);
  const times = (wanted: (left: number) => number) =>
    [...open].flatMap(([name, left]) => Array<string>(Math.max(0, wanted(left))).fill(name));
  return { missing: times((left) => left), surplus: times((left) => -left) };
};

const doneBy = ({ writes }: ClientLog): LoggedWrite[] => writes.filter(({ isDone }) => isDone);

/** One order for each acknowledged key, with that id and that name, where its last acknowledged move has brought it. */
const verifyOrders = ({ lost, doubled }: Verification, log: ClientLog, { orders, visits }: History): void => {
  const ends = new Map<string, string>();
  for (const { marker, orderId, to } of doneBy(log)) ends.set(orderId, `${marker} ${orderId} ${to}`);
  const found = orders.map(({ id, customer_name, status }) => `${customer_name} ${id} ${status}`);
  const { missing, surplus } = differences([...ends.values()], found);
  lost.push(...missing.map((order) => `acknowledged and not there: ${order}`));
  doubled.push(...surplus.map((order) => `there and not acknowledged: ${order}`));
  const completed = orders.filter(({ status }) => status === "completed").length;
  if (visits !== completed) doubled.push(`${visits} visits were counted for ${completed} completed orders`);
};

const PREVIOUS: Record<string, string> = { placed: "", accepted: "placed", rejected: "placed", ready: "accepted", completed: "ready" };

/** One audit entry and one event for each acknowledged write, and none besides. */
const verifyRecords = ({ lost, doubled }: Verification, log: ClientLog, { entries, events }: History): void => {
  const expected = doneBy(log).map(({ orderId, to }) => `${orderId} ${PREVIOUS[to]}→${to}`);
  const records = { "audit entry": entries, event: events.filter(isAboutOrder) };
  for (const [name, rows] of Object.entries(records)) {
    const { missing, surplus } = differences(
      expected,
      rows.map(({ order_id, step }) => `${order_id} ${step}`),
    );
    lost.push(...missing.map((step) => `no ${name} of ${step}`));
    doubled.push(...surplus.map((step) => `one ${name} too many of ${step}`));
  }
};

const pairOf = (eventId: string, endpointId: number | string): string => `event ${eventId} to endpoint ${endpointId}`;

/** One delivery for each event and each address that asked for its type; each ended, and its log says how. */
const verifyDeliveries = (
  { lost, doubled, undelivered, wrong }: Verification,
  { events, deliveries }: History,
  venues: KillVenue[],
): void => {
  const expected = venues.flatMap(({ id, endpoints }) =>
    events
      .filter((event) => event.restaurant_id === String(id))
      .flatMap((event) =>
        endpoints.filter((endpoint) => endpoint.events.includes(event.type)).map((endpoint) => pairOf(event.id, endpoint.id)),
      ),
  );
  const found = deliveries.map(({ event_id, endpoint_id }) => pairOf(event_id, endpoint_id));
  const { missing, surplus } = differences(expected, found);
  lost.push(...missing.map((pair) => `no delivery of ${pair}`));
  doubled.push(...surplus.map((pair) => `an unexpected delivery: ${pair}`));
  for (const delivery of deliveries) {
    const pair = pairOf(delivery.event_id, delivery.endpoint_id);
    if (delivery.state !== "done" && !isGivenUp(delivery)) undelivered.push(`${delivery.state} after ${delivery.attempts}: ${pair}`);
    if (delivery.logged !== delivery.attempts || delivery.succeeded !== (delivery.state === "done" ? 1 : 0))
      wrong.push(`${delivery.state} after ${delivery.attempts}, but ${delivery.logged} attempts are in the log: ${pair}`);
  }
};

const isGivenUp = ({ state, attempts }: StoredDelivery): boolean => state === "failed" && attempts === ATTEMPTS_MAX;

/** What was sent is what was stored, signed, and to those who asked for it; what is done was accepted there. */
const verifyReceivedEvents = (verdict: Verification, history: History, { id, endpoints, till }: KillVenue): void => {
  const stored = new Map(history.events.filter((event) => event.restaurant_id === String(id)).map((event) => [event.id, event]));
  for (const endpoint of endpoints) {
    const accepted = inspect(verdict, endpoint, stored);
    for (const delivery of history.deliveries)
      if (delivery.endpoint_id === String(endpoint.id) && delivery.state === "done" && !accepted.has(delivery.event_id))
        verdict.undelivered.push(`done and never accepted: ${pairOf(delivery.event_id, endpoint.id)}`);
  }
  if (till !== null) verifyPosPushes(verdict, history, till, stored);
};

/** The till accepted every order, and each push is written down as done, once. */
const verifyPosPushes = (
  { doubled, undelivered, wrong }: Verification,
  { pushes }: History,
  till: EventReceiver,
  stored: Map<string, EventRow>,
): void => {
  const accepted = inspect({ wrong }, till, stored);
  const placed = [...stored.values()].filter(({ type }) => type === "order.created");
  for (const { id, order_id } of placed) if (!accepted.has(id)) undelivered.push(`the till never accepted order ${order_id}`);
  const done = pushes.filter(({ state }) => state === "done");
  const { missing, surplus } = differences(
    placed.map(({ order_id }) => String(order_id)),
    done.map(({ order_id }) => order_id),
  );
  undelivered.push(...missing.map((order) => `no push that is done of order ${order}`));
  doubled.push(...surplus.map((order) => `one push too many of order ${order}`));
};

/** The ids of the events that the listener accepted. */
const inspect = (
  { wrong }: Pick<Verification, "wrong">,
  { id, events, receipts }: EventReceiver,
  stored: Map<string, EventRow>,
): Set<string> => {
  for (const { eventId, body, isGenuine } of receipts) {
    const event = stored.get(eventId);
    if (!isGenuine) wrong.push(`not signed as it must be: ${pairOf(eventId, id)}`);
    if (!event || !events.includes(event.type)) wrong.push(`sent to who did not ask for it: ${pairOf(eventId, id)}`);
    else if (event.body !== body) wrong.push(`other bytes than were stored: ${pairOf(eventId, id)}`);
  }
  return new Set(receipts.filter(({ isAccepted }) => isAccepted).map(({ eventId }) => eventId));
};

const LEGAL_PATHS = [
  "→placed",
  "→placed placed→rejected",
  "→placed placed→accepted",
  "→placed placed→accepted accepted→ready",
  "→placed placed→accepted accepted→ready ready→completed",
];

/** The events of an order, in the order in which they were sent, are a sequence of allowed moves. */
const verifyStatusPaths = ({ wrong }: Verification, { events }: History): void => {
  const ways = Map.groupBy(events.filter(isAboutOrder), ({ order_id }) => order_id);
  for (const [orderId, told] of ways) {
    const way = told.map(({ step }) => step).join(" ");
    if (!LEGAL_PATHS.includes(way)) wrong.push(`order ${orderId} went ${way}`);
  }
};
