/** The one list of every module's handlers: of operations, and of console calls. The start fails if it and the contract's tables differ. */

import type { Handlers } from "#http/api/operations.ts";
import type { ConsoleHandlers } from "#http/console/operations.ts";
import { accountCalls } from "#platform/accounts/console-routes/account.ts";
import { secondFactorCalls } from "#platform/accounts/console-routes/second-factor.ts";
import { signInCalls } from "#platform/accounts/console-routes/sign-in.ts";
import type { UserSession } from "#platform/accounts/service.ts";
import { appCalls } from "#platform/apps/console-routes.ts";
import { activityCalls } from "#platform/audit/console-routes.ts";
import { eventRoutes } from "#platform/events/routes.ts";
import { installationCalls } from "#platform/installations/console-routes.ts";
import { messageCalls } from "#platform/notifications/console-routes.ts";
import { allowCalls, consentCalls } from "#platform/oauth/console-routes.ts";
import { linkCalls } from "#platform/one-time-links/console-routes.ts";
import { requestLogCalls } from "#platform/request-log/console-routes.ts";
import { requestLogRoutes } from "#platform/request-log/routes.ts";
import { tokenCalls } from "#platform/tokens/console-routes.ts";
import { deliveryCalls } from "#platform/webhook-deliveries/console-routes.ts";
import { pauseEndpoint, removeEndpoint, resumeEndpoint, sendPing } from "#platform/webhook-deliveries/service/endpoints.ts";
import { addressCalls, webhookCalls } from "#platform/webhooks/console-routes.ts";
import type { Sender } from "#platform/webhooks/send/sender.ts";
import { bookingCalls } from "#venue/booking-day/console-routes.ts";
import { experienceCalls } from "#venue/experiences/console-routes.ts";
import { floorCalls } from "#venue/floor/console-routes.ts";
import { giftCardCalls } from "#venue/gift-cards/console-routes.ts";
import { guestProfileCalls } from "#venue/guest-profiles/console-routes.ts";
import { guestRoutes } from "#venue/guests/routes.ts";
import { kitchenCalls } from "#venue/kitchen-display/console-routes.ts";
import { managerReportCalls } from "#venue/manager-reports/console-routes.ts";
import { menuEditorCalls } from "#venue/menu/console-routes.ts";
import { menuRoutes } from "#venue/menu/routes.ts";
import { menuTodayCalls } from "#venue/menu-today/console-routes.ts";
import { orderBoardCalls } from "#venue/order-board/console-routes.ts";
import { orderRoutes } from "#venue/orders/routes.ts";
import { tillCalls } from "#venue/pos/console-routes.ts";
import { reportRoutes } from "#venue/reports/routes.ts";
import { reservationRoutes } from "#venue/reservations/routes.ts";
import { restaurantRoutes } from "#venue/restaurant/routes.ts";
import { reviewCalls } from "#venue/reviews/console-routes.ts";
import { sandboxCalls } from "#venue/sandbox/console-routes.ts";
import { sandboxControlRoutes } from "#venue/sandbox-control/routes.ts";
import { pairingCalls, screenCalls } from "#venue/screens/console-routes.ts";
import type { PairedScreen } from "#venue/screens/service.ts";
import { orderTypeCalls } from "#venue/settings/console-routes.ts";
import { shiftCalls } from "#venue/shifts/console-routes.ts";
import { openAnotherVenueCalls, openingCalls, signUpCalls } from "#venue/sign-up/console-routes.ts";
import type { SignUpRules } from "#venue/sign-up/service/links.ts";
import { staffOrderCalls } from "#venue/staff-orders/console-routes.ts";
import { stockCalls } from "#venue/stock/console-routes.ts";
import { removalCalls, roleSteps, teamCalls } from "#venue/team/console-routes.ts";
import { venueFileCalls } from "#venue/venue-file/console-routes.ts";
import { venueSettingsCalls } from "#venue/venue-settings/console-routes.ts";
import { waitlistCalls } from "#venue/waitlist/console-routes.ts";
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
type ConsoleCalls = Pick<
  ConsoleHandlers<UserSession, PairedScreen>,
  "publicCalls" | "sessionCalls" | "venueCalls" | "sandboxSteps" | "multiTransactionCalls" | "screenCalls"
>;

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
  sandboxSteps: roleSteps(knownSandboxSample),
  screenCalls: kitchenCalls,
  multiTransactionCalls: {
    ...sandboxCalls(knownSandboxSample),
    ...addressCalls({ sender, encryptionKeys }),
    ...removalCalls(knownSandboxSample),
  },
});
