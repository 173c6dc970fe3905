/** What each action of the log is called. One that is newer than these words shows its own name. */
import type { TFunction } from "i18next";
import { enLogs } from "../../texts/en-logs.ts";

export type Area = keyof typeof enLogs.activity.areas;
export const AREAS = Object.keys(enLogs.activity.areas) as Area[];

type Actions = typeof enLogs.activity.actions;
type ActionKey = { [A in keyof Actions]: `activity.actions.${A}.${keyof Actions[A] & string}` }[keyof Actions];

export const isKnownAction = (action: string): boolean => {
  const [area = "", verb = ""] = action.split(".");
  const actions: Record<string, Record<string, string>> = enLogs.activity.actions;
  return actions[area]?.[verb] !== undefined;
};

export const sayAction = (t: TFunction, action: string): string =>
  isKnownAction(action) ? t(`activity.actions.${action}` as ActionKey) : action;
