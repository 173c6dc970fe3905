import type { OrderedList } from "@comanda/contract/console/menu-editor.ts";
import type { SubjectChoice } from "./menu-draft.ts";

/** A dialog over one subject, over the prices of chosen dishes, or for rows of a spreadsheet. */
export type OpenMenuDialog = SubjectChoice<OrderedList> | { tool: "prices"; keys: readonly string[] } | { tool: "paste" };
