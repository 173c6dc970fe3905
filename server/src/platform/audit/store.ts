import { type RawBuilder, sql } from "kysely";
import { q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { AuditEntry } from "./service.ts";

export const insertAuditEntry = (ctx: Ctx, { action, subject, before, after, reason }: AuditEntry): void =>
  ctx.db.later(
    q.insertInto("audit_entries").values({
      restaurant_id: ctx.tenant.id,
      at: ctx.now,
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

/** Entries from before the address was written down have the person's number; an address never changes. */
const ACTOR_EMAIL = sql<string | null>`coalesce(actor_email,
  case when actor_kind = 'staff' then (select p.email from people p where p.id = audit_entries.actor_id) end)`;

export const latestAuditEntries = (ctx: Ctx, rowCount: number) =>
  ctx.db.query(
    q
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

type ActivityRow = {
  id: number;
  at: Date;
  actor_kind: "token" | "app" | "staff" | "operator" | "system";
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

const ACTORS = ["token", "app", "staff", "operator", "system"];

/**
 * The newest first, by id: ids grow with time. An area is the part of an action before its dot. Whatever is asked for, each row that is
 * read is found by an index, so that a search for what is rare does not read what is frequent.
 */
export const listActivity = (ctx: Ctx, filter: ActivityFilter, rowCount: number): Promise<ActivityRow[]> => {
  const { area, actor, subject } = filter;
  const conditions = [
    sql`restaurant_id = ${ctx.tenant.id}`,
    ...within(ctx, filter),
    ...(subject === undefined ? [] : [sql`subject_id = ${subject}`]),
    ...(actor === undefined ? [] : [sql`actor_kind = ${actor}`]),
  ];
  // One subject has few entries, whatever area they are of; without one the area decides.
  if (area !== undefined && subject !== undefined) conditions.push(sql`split_part(action, '.', 1) = ${area}`);
  if (area !== undefined && subject === undefined)
    conditions.push(sql`id = any(array(${newestOfArea(ctx, { ...filter, area }, rowCount)}))`);
  return ctx.db.query(sql<ActivityRow>`
    select id, at, actor_kind, actor_id, actor_name, ${ACTOR_EMAIL} as actor_email, via, action, subject_kind, subject_id,
      ${subjectName(ctx)} as subject_name, before, after, reason, address, request_id from audit_entries
    where ${sql.join(conditions, sql` and `)}
    order by id desc limit ${rowCount}::integer`);
};

/** So many entries may be written in another order than the moments at which their changes began. */
const OUT_OF_ORDER_MAX = 200;

/**
 * The page and the dates as conditions. Every index has ids, none but one has moments: so the ids between which the dates lie are looked
 * up first. Ids follow moments but for changes that were made at the same time. `is true` keeps the index of all venues' moments out of it.
 */
const within = (ctx: Ctx, { before, from, until }: ActivityFilter): RawBuilder<unknown>[] => {
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

/** What the subject is called today, where it is something with a name. */
const subjectName = (ctx: Ctx) => {
  const id = sql`case when subject_id ~ '^[0-9]{1,18}$' then subject_id::bigint end`;
  return sql`case subject_kind
    when 'item' then (select coalesce(i.name ->> ${ctx.tenant.default_language}::text, jsonb_path_query_first(i.name, '$.*') #>> '{}')
      from items i where i.restaurant_id = ${ctx.tenant.id} and i.id = ${id})
    when 'token' then (select t.name from tokens t where t.restaurant_id = ${ctx.tenant.id} and t.id = ${id})
    when 'webhook' then (select e.url from webhook_endpoints e where e.restaurant_id = ${ctx.tenant.id} and e.id = ${id})
    when 'app' then (select a.name from apps a where a.client_id = subject_id)
  end`;
};

/** Reasons are free text, so they may tell about a guest; everything else in an entry stays. */
export const blankReasons = (ctx: Ctx, subjects: AuditEntry["subject"][]): void => {
  const [kinds, ids] = [subjects.map(({ kind }) => kind), subjects.map(({ id }) => String(id))];
  ctx.db.later(sql`select erase_audit_reasons(${kinds}::text[], ${ids}::text[])`);
};

/** The area's actions one after the other, each looked up behind the one before; and of each action and actor the newest. */
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
      where restaurant_id = ${ctx.tenant.id} and action collate "C" = f.action and ${sql.join([sql`actor_kind = kind`, ...within(ctx, filter)], sql` and `)}
      order by id desc limit ${rowCount}::integer) newest
    where f.action collate "C" < ${`${area}/`}
    order by newest.id desc limit ${rowCount}::integer`;
};
