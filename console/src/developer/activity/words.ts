/** What each action of the log is called. One that is newer than these words shows its own name. */
import type { ActivityRow } from "@comanda/contract/console-logs.ts";
import type { TFunction } from "i18next";
import { enLogs } from "../../texts/en-logs.ts";

export type Area = keyof typeof enLogs.activity.areas;
export const AREAS = Object.keys(enLogs.activity.areas) as Area[];

type Actions = typeof enLogs.activity.actions;
export type ActionKey = { [A in keyof Actions]: `activity.actions.${A}.${keyof Actions[A] & string}` }[keyof Actions];
type Thing = keyof typeof enLogs.activity.things;

export const isKnownAction = (action: string): boolean => {
  const [area = "", verb = ""] = action.split(".");
  const actions: Record<string, Record<string, string>> = enLogs.activity.actions;
  return actions[area]?.[verb] !== undefined;
};

/** An order that became ready has words of its own, as has a dish that is sold out. */
export const actionKey = ({ action, after }: Pick<ActivityRow, "action" | "after">): ActionKey | null => {
  const closer = `${action}_${String(after?.status ?? after?.is_available)}`;
  const known = [closer, action].find(isKnownAction);
  return known === undefined ? null : (`activity.actions.${known}` as ActionKey);
};

const isThing = (kind: string): kind is Thing => kind in enLogs.activity.things;

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** The name it has now, else the one that stands in the entry, else what kind of thing it is. */
export const nameOf = (t: TFunction, row: ActivityRow): string => {
  const { subject_kind: kind, before, after } = row;
  const url = kind === "webhook" ? (row.subject_name ?? text(after?.url) ?? text(before?.url)) : null;
  if (url !== null) return url.replace(/^https:\/\//, "");
  const known = row.subject_name ?? text(after?.name) ?? text(before?.name) ?? (kind === "staff" ? text(row.subject_id) : null);
  return known ?? thingOf(t, kind);
};

export const thingOf = (t: TFunction, kind: string): string => (isThing(kind) ? t(`activity.things.${kind}`) : kind);

/** Who works for the service has an account on its machine; its name says nothing to an owner. */
export const actorOf = (t: TFunction, { actor_kind, actor_name }: ActivityRow): string =>
  actor_kind === "operator" ? t("activity.theOperator") : actor_name || t(`activity.actors.${actor_kind}`);
