import { type RawBuilder, sql } from "kysely";
import { builder } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { ChangedSubject } from "#lib/record-change.ts";
import { realNow } from "#lib/venue-clock.ts";

export type AuditEntry = {
  action: string;
  subject: ChangedSubject;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  reason?: string | null;
};

export const insertAuditEntry = (ctx: Ctx, { action, subject, before, after, reason }: AuditEntry): void =>
  ctx.db.defer(
    builder.insertInto("audit_entries").values({
      restaurant_id: ctx.tenant.id,
      at: realNow(ctx),
      actor_kind: ctx.actor.kind,
      actor_id: ctx.actor.id,
      actor_name: ctx.actor.name,
      actor_email: ctx.actor.email ?? null,
      via: ctx.actor.via ?? null,
      action,
      subject_kind: subject.kind,
      subject_id: String(subject.id),
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      reason: reason ?? null,
      address: ctx.origin.address,
      request_id: ctx.origin.requestId,
    }),
  );

/** Many entries in one statement: a save of hundreds of dishes would otherwise wait for as many. In the order given. */
export const insertAuditEntries = (ctx: Ctx, entries: readonly AuditEntry[]): void => {
  const { actor, origin } = ctx;
  const rows = entries.map(({ action, subject, before, after }) => ({ action, kind: subject.kind, id: String(subject.id), before, after }));
  ctx.db.defer(sql`
    insert into audit_entries (restaurant_id, at, actor_kind, actor_id, actor_name, actor_email, via, action, subject_kind, subject_id, before, after,
      address, request_id)
    select ${ctx.tenant.id}, ${realNow(ctx)}::timestamptz, ${actor.kind}, ${actor.id}::bigint, ${actor.name}, ${actor.email ?? null}, ${actor.via ?? null},
      e.row ->> 'action', e.row ->> 'kind', e.row ->> 'id', e.row -> 'before', e.row -> 'after', ${origin.address}, ${origin.requestId}
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality e (row, place) order by e.place`);
};

/** Old entries have no address. The user's number gives it, because a user's address never changes. */
const ACTOR_EMAIL = sql<string | null>`coalesce(actor_email,
  case when actor_kind = 'staff' then (select p.email from users p where p.id = audit_entries.actor_id) end)`;

export const latestAuditEntries = (ctx: Ctx, rowCount: number) =>
  ctx.db.query(
    builder
      .selectFrom("audit_entries")
      .select([
        "id",
        "at",
        "actor_kind",
        "actor_id",
        "actor_name",
        ACTOR_EMAIL.as("actor_email"),
        "via",
        "action",
        "subject_kind",
        "subject_id",
        "before",
        "after",
        "reason",
        "address",
        "request_id",
      ])
      .where("restaurant_id", "=", ctx.tenant.id)
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(rowCount),
  );

export type ActivityFilter = { area?: string; actor?: string; subject?: string; from?: Date; until?: Date; before?: number };

type ActivityEntryRow = {
  id: number;
  at: Date;
  actor_kind: "token" | "app" | "staff" | "screen" | "operator" | "system";
  actor_id: number | null;
  actor_name: string;
  actor_email: string | null;
  via: "mcp" | null;
  action: string;
  subject_kind: string;
  subject_id: string;
  subject_name: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  address: string | null;
  request_id: string | null;
};

const ACTORS = ["token", "app", "staff", "screen", "operator", "system"];

/**
 * Newest first, by id, because ids grow with time. An area is the part of an action before its dot. Every filter is served by an
 * index, so a search for rare entries does not scan the frequent ones.
 */
export const listActivity = (ctx: Ctx, filter: ActivityFilter, rowCount: number): Promise<ActivityEntryRow[]> => {
  const { area, actor, subject } = filter;
  const conditions = [
    sql`restaurant_id = ${ctx.tenant.id}`,
    ...pageAndDateConditions(ctx, filter),
    ...(subject === undefined ? [] : [sql`subject_id = ${subject}`]),
    ...(actor === undefined ? [] : [sql`actor_kind = ${actor}`]),
  ];
  // A subject has few entries, so its area is compared row by row. Without a subject the area needs its own index search.
  if (area !== undefined && subject !== undefined) conditions.push(sql`split_part(action, '.', 1) = ${area}`);
  if (area !== undefined && subject === undefined)
    conditions.push(sql`id = any(array(${newestOfArea(ctx, { ...filter, area }, rowCount)}))`);
  return ctx.db.query(sql<ActivityEntryRow>`
    select id, at, actor_kind, actor_id, actor_name, ${ACTOR_EMAIL} as actor_email, via, action, subject_kind, subject_id,
      ${subjectName(ctx)} as subject_name, before, after, reason, address, request_id from audit_entries
    where ${sql.join(conditions, sql` and `)}
    order by id desc limit ${rowCount}::integer`);
};

/** Newest first. Each action and kind of actor is an index search of its own, as in `newestOfArea`. */
export const listEntriesOfActions = (
  ctx: Ctx,
  actions: readonly string[],
  filter: Pick<ActivityFilter, "before" | "from">,
  rowCount: number,
) =>
  ctx.db.query(sql<ActivityEntryRow>`
    select id, at, actor_kind, actor_id, actor_name, ${ACTOR_EMAIL} as actor_email, via, action, subject_kind, subject_id,
      null::text as subject_name, before, after, reason, address, request_id from audit_entries
    where restaurant_id = ${ctx.tenant.id} and id = any(array(
      select newest.id from unnest(${[...actions]}::text[]) wanted, unnest(${ACTORS}::text[]) kind, lateral (
        select id from audit_entries
        where restaurant_id = ${ctx.tenant.id} and action collate "C" = wanted and ${sql.join([sql`actor_kind = kind`, ...pageAndDateConditions(ctx, filter)], sql` and `)}
        order by id desc limit ${rowCount}::integer) newest
      order by newest.id desc limit ${rowCount}::integer))
    order by id desc`);

export type AuditedChange = Pick<ActivityEntryRow, "action" | "subject_kind" | "subject_id" | "before" | "after">;

/** The newest first. */
export const listAuditEntries = (ctx: Ctx, ids: readonly number[]): Promise<AuditedChange[]> =>
  ctx.db.query(sql<AuditedChange>`
    select action, subject_kind, subject_id, before, after from audit_entries
    where restaurant_id = ${ctx.tenant.id} and id = any(${[...ids]}::bigint[]) order by id desc`);

/** Concurrent changes: this many entries may have ids in another order than their times. */
const OUT_OF_ORDER_MAX = 200;

/**
 * The page and the dates as conditions. Only one index has times, all have ids, so the dates are turned into a range of ids first.
 * Ids follow times except among concurrent changes. `is true` stops the planner from using the time index of all venues.
 */
const pageAndDateConditions = (ctx: Ctx, { before, from, until }: ActivityFilter): RawBuilder<unknown>[] => {
  const atEdge = (condition: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`(select id from audit_entries
    where restaurant_id = ${ctx.tenant.id} and ${condition} order by ${order} limit ${OUT_OF_ORDER_MAX}::integer) edge`;
  return [
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(from === undefined
      ? []
      : [sql`(at >= ${from}) is true`, sql`id >= (select coalesce(min(edge.id), 0) from ${atEdge(sql`at >= ${from}`, sql`at, id`)})`]),
    ...(until === undefined
      ? []
      : [
          sql`(at < ${until}) is true`,
          sql`id <= (select coalesce(max(edge.id), 0) from ${atEdge(sql`at < ${until}`, sql`at desc, id desc`)})`,
        ]),
  ];
};

/** The current name of the subject. Null for kinds without a name. */
const subjectName = (ctx: Ctx) => {
  const id = sql`case when subject_id ~ '^[0-9]{1,18}$' then subject_id::bigint end`;
  return sql`case subject_kind
    when 'item' then (select coalesce(i.name ->> ${ctx.tenant.default_language}::text, jsonb_path_query_first(i.name, '$.*') #>> '{}')
      from items i where i.restaurant_id = ${ctx.tenant.id} and i.id = ${id})
    when 'option' then (select coalesce(o.name ->> ${ctx.tenant.default_language}::text, jsonb_path_query_first(o.name, '$.*') #>> '{}')
      from modifier_options o where o.restaurant_id = ${ctx.tenant.id} and o.id = ${id})
    when 'token' then (select t.name from tokens t where t.restaurant_id = ${ctx.tenant.id} and t.id = ${id})
    when 'webhook' then (select e.url from webhook_endpoints e where e.restaurant_id = ${ctx.tenant.id} and e.id = ${id})
    when 'app' then (select a.name from apps a where a.client_id = subject_id)
  end`;
};

/** Clears the reasons only: they are free text and may contain personal data. */
export const eraseReasons = (ctx: Ctx, subjects: AuditEntry["subject"][]): void => {
  const [kinds, ids] = [subjects.map(({ kind }) => kind), subjects.map(({ id }) => String(id))];
  ctx.db.defer(sql`select erase_audit_reasons(${kinds}::text[], ${ids}::text[])`);
};

/** A loose index scan over the area's actions, then the newest ids of each action and kind of actor. */
const newestOfArea = (ctx: Ctx, { area, actor, ...filter }: ActivityFilter & { area: string }, rowCount: number) => {
  const next = (after: RawBuilder<unknown>) => sql`(select action from audit_entries
    where restaurant_id = ${ctx.tenant.id} and action collate "C" > ${after} order by action collate "C" limit 1)`;
  return sql`
    with recursive found (action) as (
      select ${next(sql`${`${area}.`}`)}
      union all
      select ${next(sql`f.action`)} from found f where f.action collate "C" < ${`${area}/`}
    )
    select newest.id from found f, unnest(${actor === undefined ? ACTORS : [actor]}::text[]) kind, lateral (
      select id from audit_entries
      where restaurant_id = ${ctx.tenant.id} and action collate "C" = f.action and ${sql.join([sql`actor_kind = kind`, ...pageAndDateConditions(ctx, filter)], sql` and `)}
      order by id desc limit ${rowCount}::integer) newest
    where f.action collate "C" < ${`${area}/`}
    order by newest.id desc limit ${rowCount}::integer`;
};

export type ReasonRow = { at: Date; action: string; reason: string };

/** What `clearReasons` would clear. */
export const listReasonsAbout = (ctx: Ctx, subjects: AuditEntry["subject"][]): Promise<ReasonRow[]> => {
  const [kinds, ids] = [subjects.map(({ kind }) => kind), subjects.map(({ id }) => String(id))];
  return ctx.db.query(sql<ReasonRow>`
    select e.at, e.action, e.reason from unnest(${kinds}::text[], ${ids}::text[]) as about (kind, id)
      join audit_entries e on e.restaurant_id = ${ctx.tenant.id} and e.subject_id = about.id and e.subject_kind = about.kind
    where e.reason is not null order by e.id`);
};

export type CountedEntry = { at: Date; subject_id: string };

/** What people did in the console, to be counted, the newest first. `is true` stops the planner from using the time index of all venues. */
export const listStaffEntries = (ctx: Ctx, actions: readonly string[], since: Date): Promise<CountedEntry[]> =>
  ctx.db.query(sql<CountedEntry>`
    select at, subject_id from audit_entries
    where restaurant_id = ${ctx.tenant.id} and action = any(${actions}::text[]) and actor_kind = 'staff' and (at > ${since}) is true
    order by id desc limit 1000`);
