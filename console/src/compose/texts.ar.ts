import { arAccount } from "#account/texts.ar.ts";
import { arAccess } from "#account/texts-access.ar.ts";
import { arMemberships } from "#account/texts-memberships.ar.ts";
import { arApps } from "#apps/texts.ar.ts";
import { arBills } from "#bills/texts.ar.ts";
import { arBookings } from "#bookings/texts.ar.ts";
import { arTryBooking } from "#bookings/texts-try.ar.ts";
import { arDeveloper } from "#developer/texts.ar.ts";
import { arLogs } from "#developer/texts-logs.ar.ts";
import { arExperiences } from "#experiences/texts.ar.ts";
import { arGiftCards } from "#gift-cards/texts.ar.ts";
import { arGuests } from "#guests/texts.ar.ts";
import { arKit } from "#kit/texts.ar.ts";
import { arForms } from "#kit/texts-forms.ar.ts";
import { arKitchen } from "#kitchen/texts.ar.ts";
import { arMenu } from "#menu/texts.ar.ts";
import { arMenuTools } from "#menu/texts-tools.ar.ts";
import { arMenuToday } from "#menu-today/texts.ar.ts";
import { arMessages } from "#messages/texts.ar.ts";
import { arNewOrder } from "#orders/new-order/texts.ar.ts";
import { arOrders } from "#orders/texts.ar.ts";
import { arService } from "#orders/texts-service.ar.ts";
import { arReports } from "#reports/texts.ar.ts";
import { arReviews } from "#reviews/texts.ar.ts";
import { arScreens } from "#screen/texts.ar.ts";
import { arCharges } from "#settings/charges/texts.ar.ts";
import { arFloor } from "#settings/floor/texts.ar.ts";
import { arHours } from "#settings/hours/texts.ar.ts";
import { arTill } from "#settings/till/texts.ar.ts";
import { arVenueFile } from "#settings/venue-file/texts.ar.ts";
import { arShell } from "#shell/texts.ar.ts";
import { arShifts } from "#shifts/texts.ar.ts";
import { arSignUp } from "#sign-up/texts.ar.ts";
import { arStock } from "#stock/texts.ar.ts";
import { arTeam } from "#team/texts.ar.ts";
import type { ConsoleTexts } from "./texts.ts";

/** Arabic has six plural forms; the English ones are among them. */
type PluralForm = "zero" | "one" | "two" | "few" | "many" | "other";
type CountedKey<T> = { [K in keyof T as K extends `${infer Key}_other` ? `${Key}_${PluralForm}` : never]: string };
type WithPluralForms<T> = { [K in keyof T]: T[K] extends string ? string : WithPluralForms<T[K]> } & CountedKey<T>;

export const ar: WithPluralForms<ConsoleTexts> = {
  ...arAccess,
  ...arMemberships,
  ...arAccount,
  ...arApps,
  ...arBills,
  ...arTryBooking,
  bookings: arBookings,
  ...arLogs,
  ...arDeveloper,
  ...arExperiences,
  ...arGiftCards,
  ...arGuests,
  ...arForms,
  ...arKit,
  kitchen: arKitchen,
  ...arMenuToday,
  ...arMenuTools,
  ...arMenu,
  ...arMessages,
  newOrder: arNewOrder,
  ...arService,
  ...arOrders,
  ...arReports,
  ...arReviews,
  ...arScreens,
  ...arCharges,
  ...arFloor,
  ...arHours,
  ...arTill,
  ...arVenueFile,
  ...arShell,
  ...arShifts,
  signUp: arSignUp,
  ...arStock,
  ...arTeam,
};
