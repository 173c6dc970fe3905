/** Experiences, sessions and tickets of a test, over the console's calls. */
import { randomUUID } from "node:crypto";
import type { ChangedTickets, ExperienceDetails, ExperienceSession, SessionSheet } from "@comanda/contract/console/experiences.ts";
import type { EventData } from "@comanda/contract/events/envelope.ts";
import type { TestUser } from "./console-client.ts";
import type { TestApp, TestVenue } from "./test-app.ts";

export type ExperienceTools = ReturnType<typeof experienceTools>;

const VALUE = {
  name: { en: "Wine tasting", it: "Degustazione" },
  description: { en: "Six wines" },
  price_minor: 4500,
  branch: "main",
  is_active: true,
};

/** Finds what is wrong with a session, its bookings, their payments and their events. */
export const EXPERIENCE_FAULTS = `
  select s.id, case when s.sold + s.held > s.capacity or s.sold < 0 or s.held < 0 then 'above its capacity'
      when s.sold <> b.sold or s.held <> b.held then 'not the sum of its bookings'
      when b.unpaid > 0 then 'a booking and its payment differ' else 'sales and events differ' end as fault
  from experience_sessions s
  cross join lateral (
    select coalesce(sum(tickets) filter (where b.state = 'paid'), 0) as sold, coalesce(sum(tickets) filter (where b.state = 'held'), 0) as held,
      count(*) filter (where b.paid_at is not null) as paid,
      count(*) filter (where b.amount_minor > 0 and b.paid_at is not null
        and (p.amount_minor is distinct from b.amount_minor or p.refunded_total_minor is distinct from case b.state when 'cancelled' then b.amount_minor else 0 end)) as unpaid
    from experience_bookings b left join payments p on p.restaurant_id = b.restaurant_id and p.id = b.payment_id
    where b.restaurant_id = s.restaurant_id and b.session_id = s.id) b
  cross join lateral (
    select count(*) as told, count(distinct e.body::jsonb #>> '{data,experience_booking,id}') as bookings from events e
    where e.restaurant_id = s.restaurant_id and e.type = 'experience.booked' and (e.body::jsonb #>> '{data,experience_booking,id}')::bigint in (
      select id from experience_bookings x where x.restaurant_id = s.restaurant_id and x.session_id = s.id)) t
  where s.sold + s.held > s.capacity or s.sold < 0 or s.held < 0 or s.sold <> b.sold or s.held <> b.held or b.unpaid > 0
    or t.told <> b.paid or t.bookings <> b.paid`;

export const experienceTools = (app: TestApp, venue: TestVenue, manager: TestUser) => {
  const send = (method: string, path: string, body?: object, who = manager) =>
    who.call(method as "POST", `/venues/${venue.slug}${path}`, {
      ...(body ? { body } : {}),
      headers: { "idempotency-key": randomUUID() },
    });
  const done = async (method: string, path: string, body?: object, who = manager) => {
    const answer = await send(method, path, body, who);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.data;
  };
  const add = (changes: object = {}): Promise<ExperienceDetails> => done("POST", "/experiences", { experience: { ...VALUE, ...changes } });
  const plan = (id: number, changes: object = {}): Promise<ExperienceSession[]> =>
    done("POST", `/experiences/${id}/sessions`, { date: "2026-12-04", time: "19:30", capacity: 4, weeks: 1, ...changes });
  return {
    send,
    done,
    add,
    plan,
    value: VALUE,
    /** A new experience with one session. */
    session: async (capacity: number, changes: object = {}): Promise<ExperienceSession> => {
      const [session] = await plan((await add(changes)).id, { capacity });
      if (!session) throw new Error("A plan of one week has one session");
      return session;
    },
    hold: (sessionId: number, tickets: number, changes: object = {}, who = manager) =>
      send("POST", `/experience-sessions/${sessionId}/bookings`, { tickets, name: "Ada", phone: null, email: null, ...changes }, who),
    held: async (sessionId: number, tickets: number, changes: object = {}): Promise<ChangedTickets> =>
      done("POST", `/experience-sessions/${sessionId}/bookings`, { tickets, name: "Ada", phone: null, email: null, ...changes }),
    pay: ({ id, version }: ChangedTickets, method = "cash", who = manager) =>
      send("POST", `/experience-bookings/${id}/payments`, { seen_version: version, method }, who),
    paid: async ({ id, version }: ChangedTickets, method = "cash"): Promise<ChangedTickets> =>
      done("POST", `/experience-bookings/${id}/payments`, { seen_version: version, method }),
    act: ({ id, version }: ChangedTickets, path: string, more: object = {}, who = manager) =>
      send(path === "arrived" ? "PUT" : "POST", `/experience-bookings/${id}/${path}`, { seen_version: version, ...more }, who),
    sheet: (sessionId: number): Promise<SessionSheet> => done("GET", `/experience-sessions/${sessionId}`),
    counts: async (sessionId: number): Promise<[sold: number, held: number]> => {
      const { session } = (await done("GET", `/experience-sessions/${sessionId}`)) as SessionSheet;
      return [session.sold, session.held];
    },
    eventsOf: async (bookingId: number): Promise<EventData["experience.booked"]["experience_booking"][]> =>
      (await app.database.asOwner<{ body: string }>("select body from events where type = 'experience.booked' order by created_at, id"))
        .map(({ body }) => JSON.parse(body).data.experience_booking)
        .filter(({ id }) => id === bookingId),
    faults: () => app.database.asOwner<{ id: number; fault: string }>(EXPERIENCE_FAULTS),
  };
};
