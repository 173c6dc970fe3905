/** Labels of the activity log. An action without a label shows its own name. */
import type { ActivityEntry } from "@comanda/contract/console/logs.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import type { TFunction } from "i18next";
import { enLogs } from "../texts-logs.en.ts";

export type ActivityArea = keyof typeof enLogs.activity.areas;
export const AREAS = Object.keys(enLogs.activity.areas) as ActivityArea[];

type ActivityActions = typeof enLogs.activity.actions;
export type ActionKey = {
  [A in keyof ActivityActions]: `activity.actions.${A}.${keyof ActivityActions[A] & string}`;
}[keyof ActivityActions];
type SubjectKind = keyof typeof enLogs.activity.things;

export const isKnownAction = (action: string): boolean => {
  const [area = "", verb = ""] = action.split(".");
  const actions: Record<string, Record<string, string>> = enLogs.activity.actions;
  return actions[area]?.[verb] !== undefined;
};

/** Prefers the label for the new status or availability over the general one. */
export const actionKey = ({ action, after }: Pick<ActivityEntry, "action" | "after">): ActionKey | null => {
  const closer = `${action}_${String(after?.status ?? after?.is_available)}`;
  const known = [closer, action].find(isKnownAction);
  return known === undefined ? null : (`activity.actions.${known}` as ActionKey);
};

const isSubjectKind = (kind: string): kind is SubjectKind => kind in enLogs.activity.things;

const ORDER_TYPES: Readonly<Record<OrderType, true>> = { dine_in: true, pickup: true, delivery: true };
const isOrderType = (id: string): id is OrderType => id in ORDER_TYPES;

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** The current name, else the name in the entry, else the kind of subject. */
export const subjectNameOf = (t: TFunction, row: ActivityEntry): string => {
  const { subject_kind: kind, before, after } = row;
  const url = kind === "webhook" ? (row.subject_name ?? text(after?.url) ?? text(before?.url)) : null;
  if (url !== null) return url.replace(/^https:\/\//, "");
  if (kind === "order_type" && isOrderType(row.subject_id)) return t(`order.types.${row.subject_id}`);
  const known = row.subject_name ?? text(after?.name) ?? text(before?.name) ?? (kind === "staff" ? text(row.subject_id) : null);
  return known ?? subjectLabelOf(t, kind);
};

export const subjectLabelOf = (t: TFunction, kind: string): string => (isSubjectKind(kind) ? t(`activity.things.${kind}`) : kind);

/** An operator's account name on the server means nothing to an owner. */
export const actorNameOf = (t: TFunction, { actor_kind, actor_name }: ActivityEntry): string =>
  actor_kind === "operator" ? t("activity.theOperator") : actor_name || t(`activity.actors.${actor_kind}`);
