/** What is dropped in a list of the menu gets its place in the draft. */
import type { OrderedList } from "@comanda/contract/console/menu-editor.ts";
import type { RefObject } from "react";
import { placeSubject } from "./menu-order.ts";
import { type ListDrop, useListDrag } from "./use-list-drag.ts";
import type { MenuEditing } from "./use-menu-edit.ts";

export const useOrderDrag = (container: RefObject<HTMLElement | null>, change: MenuEditing["change"]) =>
  useListDrag(container, ({ list: name, key, before }: ListDrop) => {
    const [list = "", parent = ""] = name.split(" ");
    change((draft, plan) => placeSubject(draft, plan, { list: list as OrderedList, parent: parent === "" ? null : parent, key, before }));
  });
