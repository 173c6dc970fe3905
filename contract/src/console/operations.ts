/** Every call of the console in one table. */
import { appOperations } from "./apps.ts";
import { billOperations } from "./bills.ts";
import { bookingOperations } from "./bookings.ts";
import { experienceOperations } from "./experiences.ts";
import { floorOperations } from "./floor.ts";
import { giftCardOperations } from "./gift-cards.ts";
import { guestProfileOperations } from "./guests.ts";
import { kitchenOperations } from "./kitchen.ts";
import { logOperations } from "./logs.ts";
import { menuEditorOperations } from "./menu-editor.ts";
import { menuTodayOperations } from "./menu-today.ts";
import { messageOperations } from "./messages.ts";
import type { ConsoleOperation } from "./operation.ts";
import { orderTypeOperations } from "./order-types.ts";
import { orderBoardOperations } from "./orders.ts";
import { managerReportOperations } from "./reports.ts";
import { reviewOperations } from "./reviews.ts";
import { screenOperations } from "./screens.ts";
import { sessionOperations } from "./session.ts";
import { shiftOperations } from "./shifts.ts";
import { signUpOperations } from "./sign-up.ts";
import { staffOrderOperations } from "./staff-orders.ts";
import { stockOperations } from "./stock.ts";
import { teamOperations } from "./team.ts";
import { tillOperations } from "./till.ts";
import { sandboxOperations, tokenOperations } from "./tokens.ts";
import { venueFileOperations } from "./venue-file.ts";
import { venueSettingsOperations } from "./venue-settings.ts";
import { waitlistOperations } from "./waitlist.ts";
import { deliveryOperations, webhookOperations } from "./webhooks.ts";

export const consoleOperations = {
  ...sessionOperations,
  ...signUpOperations,
  ...tokenOperations,
  ...sandboxOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...logOperations,
  ...appOperations,
  ...orderBoardOperations,
  ...billOperations,
  ...orderTypeOperations,
  ...menuTodayOperations,
  ...menuEditorOperations,
  ...staffOrderOperations,
  ...screenOperations,
  ...kitchenOperations,
  ...bookingOperations,
  ...waitlistOperations,
  ...messageOperations,
  ...floorOperations,
  ...venueSettingsOperations,
  ...tillOperations,
  ...venueFileOperations,
  ...guestProfileOperations,
  ...giftCardOperations,
  ...reviewOperations,
  ...stockOperations,
  ...shiftOperations,
  ...experienceOperations,
  ...teamOperations,
  ...managerReportOperations,
} as const satisfies Record<string, ConsoleOperation>;

export type ConsoleOperationId = keyof typeof consoleOperations;

export const consoleEntries = Object.entries(consoleOperations) as [ConsoleOperationId, ConsoleOperation][];

/** What the handler of a call gets: a caller who may be signed out, a person, a screen, or the venue of a person in one transaction or in several. */
export type CallKind = "public" | "session" | "screen" | "venue" | "multi-transaction";

type KindOf<O extends ConsoleOperation> = O extends { who: "anyone" }
  ? "public"
  : O extends { who: "person" }
    ? "session"
    : O extends { who: "screen" }
      ? "screen"
      : O extends { isMultiTransaction: true }
        ? "multi-transaction"
        : "venue";

const kindOf = ({ who, isMultiTransaction }: ConsoleOperation): CallKind => {
  if (who === "anyone") return "public";
  if (who === "person") return "session";
  if (who === "screen") return "screen";
  return isMultiTransaction ? "multi-transaction" : "venue";
};

export type IdsOfKind<K extends CallKind> = {
  [I in ConsoleOperationId]: KindOf<(typeof consoleOperations)[I]> extends K ? I : never;
}[ConsoleOperationId];

export const idsOfKind = <K extends CallKind>(kind: K): IdsOfKind<K>[] =>
  consoleEntries.map(([id]) => id).filter((id): id is IdsOfKind<K> => kindOf(consoleOperations[id]) === kind);
