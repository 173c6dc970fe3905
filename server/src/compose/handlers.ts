/** The one list of every module's handlers: of operations, and of console calls. The start fails if it and the contract's tables differ. */

import type { Handlers } from "#http/api/operations.ts";
import type { ConsoleHandlers } from "#http/console/calls.ts";
import { activityCalls } from "#platform/activity/audit/console-routes.ts";
import { requestLogCalls } from "#platform/activity/request-log/console-routes.ts";
import { requestLogRoutes } from "#platform/activity/request-log/routes.ts";
import { eventRoutes } from "#platform/events/routes.ts";
import { deliveryCalls } from "#platform/events/webhook-deliveries/console-routes.ts";
import { pauseEndpoint, removeEndpoint, resumeEndpoint, sendPing } from "#platform/events/webhook-deliveries/service/endpoints.ts";
import { addressCalls, webhookCalls } from "#platform/events/webhooks/console-routes.ts";
import type { Sender } from "#platform/events/webhooks/send/sender.ts";
import { messageCalls } from "#platform/messages/notifications/console-routes.ts";
import { appCalls } from "#platform/programs/apps/console-routes.ts";
import { installationCalls } from "#platform/programs/installations/console-routes.ts";
import { allowCalls, consentCalls } from "#platform/programs/oauth/console-routes.ts";
import { tokenCalls } from "#platform/programs/tokens/console-routes.ts";
import { accountCalls } from "#platform/sign-in/accounts/console-routes/account.ts";
import { secondFactorCalls } from "#platform/sign-in/accounts/console-routes/second-factor.ts";
import { signInCalls } from "#platform/sign-in/accounts/console-routes/sign-in.ts";
import { linkCalls } from "#platform/sign-in/one-time-links/console-routes.ts";
import { bookingCalls } from "#venue/bookings/booking-day/console-routes.ts";
import { experienceCalls } from "#venue/bookings/experiences/console-routes.ts";
import { floorCalls } from "#venue/bookings/floor/console-routes.ts";
import { reservationRoutes } from "#venue/bookings/reservations/routes.ts";
import { waitlistCalls } from "#venue/bookings/waitlist/console-routes.ts";
import { guestProfileCalls } from "#venue/guest-records/guest-profiles/console-routes.ts";
import { reviewCalls } from "#venue/guest-records/reviews/console-routes.ts";
import { guestRoutes } from "#venue/guests/routes.ts";
import { tillCalls } from "#venue/kitchen/pos/console-routes.ts";
import { pairingCalls, screenCalls } from "#venue/kitchen/screens/console-routes.ts";
import { menuEditorCalls } from "#venue/menu/console-routes.ts";
import { menuTodayCalls } from "#venue/menu/menu-today/console-routes.ts";
import { menuRoutes } from "#venue/menu/routes.ts";
import { giftCardCalls } from "#venue/orders/gift-cards/console-routes.ts";
import { kitchenCalls } from "#venue/orders/kitchen-display/console-routes.ts";
import { orderBoardCalls } from "#venue/orders/order-board/console-routes.ts";
import { orderRoutes } from "#venue/orders/routes.ts";
import { staffOrderCalls } from "#venue/orders/staff-orders/console-routes.ts";
import { billCalls } from "#venue/orders/table-bills/console-routes.ts";
import { managerReportCalls } from "#venue/reports/manager-reports/console-routes.ts";
import { reportRoutes } from "#venue/reports/routes.ts";
import { sandboxCalls } from "#venue/sandbox/console-routes.ts";
import { sandboxControlRoutes } from "#venue/sandbox/sandbox-control/routes.ts";
import { orderTypeCalls } from "#venue/settings/console-routes.ts";
import { restaurantRoutes } from "#venue/setup/restaurant/routes.ts";
import { openAnotherVenueCalls, openingCalls, signUpCalls } from "#venue/setup/sign-up/console-routes.ts";
import type { SignUpRules } from "#venue/setup/sign-up/service/links.ts";
import { venueFileCalls } from "#venue/setup/venue-file/console-routes.ts";
import { venueSettingsCalls } from "#venue/setup/venue-settings/console-routes.ts";
import { shiftCalls } from "#venue/shifts/console-routes.ts";
import { stockCalls } from "#venue/stock/console-routes.ts";
import { memberCalls, teamCalls } from "#venue/team/console-routes.ts";
import type { Config } from "../config.ts";
import { knownSandboxSample } from "./sandbox-sample.ts";

export const routes: Handlers = {
  ...menuRoutes,
  ...orderRoutes,
  ...reservationRoutes,
  ...guestRoutes,
  ...reportRoutes,
  ...restaurantRoutes,
  ...eventRoutes,
  ...sandboxControlRoutes,
  ...requestLogRoutes,
};

type ConsoleCallDeps = {
  encryptionKeys: Config["encryptionKeys"];
  remainingOf: Parameters<typeof tokenCalls>[0];
  sender: Sender;
  signUp: SignUpRules;
};
type ConsoleCalls = Pick<ConsoleHandlers, "publicCalls" | "sessionCalls" | "venueCalls" | "multiTransactionCalls" | "screenCalls">;

export const consoleCalls = ({ encryptionKeys, remainingOf, sender, signUp }: ConsoleCallDeps): ConsoleCalls => ({
  publicCalls: { ...signInCalls(encryptionKeys), ...linkCalls(encryptionKeys), ...pairingCalls, ...signUpCalls(signUp) },
  sessionCalls: { ...accountCalls, ...secondFactorCalls(encryptionKeys), ...appCalls, ...consentCalls, ...openAnotherVenueCalls(signUp) },
  venueCalls: {
    ...tokenCalls(remainingOf),
    ...webhookCalls({ encryptionKeys, pauseEndpoint, resumeEndpoint, removeEndpoint, sendPing }),
    ...deliveryCalls({ encryptionKeys }),
    ...activityCalls,
    ...requestLogCalls,
    ...allowCalls,
    ...installationCalls,
    ...orderBoardCalls,
    ...billCalls,
    ...orderTypeCalls,
    ...menuTodayCalls,
    ...menuEditorCalls,
    ...staffOrderCalls,
    ...screenCalls,
    ...bookingCalls,
    ...waitlistCalls,
    ...messageCalls,
    ...floorCalls,
    ...venueSettingsCalls,
    ...tillCalls(encryptionKeys),
    ...venueFileCalls,
    ...guestProfileCalls,
    ...giftCardCalls,
    ...reviewCalls,
    ...stockCalls,
    ...shiftCalls,
    ...experienceCalls,
    ...teamCalls,
    ...openingCalls,
    ...managerReportCalls,
  },
  screenCalls: kitchenCalls,
  multiTransactionCalls: {
    ...sandboxCalls(knownSandboxSample),
    ...addressCalls({ sender, encryptionKeys }),
    ...memberCalls(knownSandboxSample),
  },
});
