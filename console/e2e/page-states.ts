/** All page states by name. */
import type { PageState } from "./page-state.ts";
import { accountPageStates } from "./page-states-account.ts";
import { appPageStates } from "./page-states-apps.ts";
import { developerPageStates } from "./page-states-developer.ts";
import { menuTodayPageStates } from "./page-states-menu-today.ts";
import { newOrderPageStates } from "./page-states-new-order.ts";
import { orderPageStates } from "./page-states-orders.ts";

export const pageStates: Record<string, PageState> = {
  ...accountPageStates,
  ...developerPageStates,
  ...appPageStates,
  ...orderPageStates,
  ...newOrderPageStates,
  ...menuTodayPageStates,
};
