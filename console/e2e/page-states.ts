/** All page states by name. */
import type { PageState } from "./page-state.ts";
import { accountPageStates } from "./page-states-account.ts";
import { appPageStates } from "./page-states-apps.ts";
import { bookingPageStates } from "./page-states-bookings.ts";
import { chargesPageStates } from "./page-states-charges.ts";
import { developerPageStates } from "./page-states-developer.ts";
import { experiencePageStates } from "./page-states-experiences.ts";
import { floorPageStates } from "./page-states-floor.ts";
import { giftCardPageStates } from "./page-states-gift-cards.ts";
import { guestPageStates } from "./page-states-guests.ts";
import { hoursPageStates } from "./page-states-hours.ts";
import { kitchenPageStates } from "./page-states-kitchen.ts";
import { menuPageStates } from "./page-states-menu.ts";
import { menuTodayPageStates } from "./page-states-menu-today.ts";
import { newOrderPageStates } from "./page-states-new-order.ts";
import { orderPageStates } from "./page-states-orders.ts";
import { reportPageStates } from "./page-states-reports.ts";
import { reviewPageStates } from "./page-states-reviews.ts";
import { screenPageStates } from "./page-states-screens.ts";
import { shiftPageStates } from "./page-states-shifts.ts";
import { signUpPageStates } from "./page-states-sign-up.ts";
import { stockPageStates } from "./page-states-stock.ts";
import { teamPageStates } from "./page-states-team.ts";

export const pageStates: Record<string, PageState> = {
  ...accountPageStates,
  ...developerPageStates,
  ...appPageStates,
  ...orderPageStates,
  ...newOrderPageStates,
  ...menuTodayPageStates,
  ...menuPageStates,
  ...screenPageStates,
  ...kitchenPageStates,
  ...guestPageStates,
  ...giftCardPageStates,
  ...reviewPageStates,
  ...stockPageStates,
  ...shiftPageStates,
  ...experiencePageStates,
  ...bookingPageStates,
  ...floorPageStates,
  ...hoursPageStates,
  ...chargesPageStates,
  ...teamPageStates,
  ...signUpPageStates,
  ...reportPageStates,
};
