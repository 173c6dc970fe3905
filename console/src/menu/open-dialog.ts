import type { OrderedList } from "@comanda/contract/console/menu-editor.ts";
import type { SubjectChoice } from "./menu-draft.ts";

/** A dialog over one subject, or a tool. Two of them begin with the dishes that were chosen. */
export type OpenMenuDialog =
  | SubjectChoice<OrderedList>
  | { tool: "prices"; keys: readonly string[] }
  | { tool: "planned"; keys: readonly string[] }
  | { tool: "paste" | "preview" | "history" };
