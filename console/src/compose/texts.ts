/** The keys of all texts, as pages name them: those of the entry, and those that load with their page. */
import type { enAccess } from "#account/texts-access.en.ts";
import type { enMemberships } from "#account/texts-memberships.en.ts";
import type { enApps } from "#apps/texts.en.ts";
import type { enBills } from "#bills/texts.en.ts";
import type { enBookings } from "#bookings/texts.en.ts";
import type { enTryBooking } from "#bookings/texts-try.en.ts";
import type { enSignature } from "#developer/signature/texts.en.ts";
import type { enDeveloper } from "#developer/texts.en.ts";
import type { enLogs } from "#developer/texts-logs.en.ts";
import type { enExperiences } from "#experiences/texts.en.ts";
import type { enGiftCards } from "#gift-cards/texts.en.ts";
import type { enGuests } from "#guests/texts.en.ts";
import type { enForms } from "#kit/texts-forms.en.ts";
import type { enKitchen } from "#kitchen/texts.en.ts";
import type { enMenu } from "#menu/texts.en.ts";
import type { enMenuTools } from "#menu/texts-tools.en.ts";
import type { enMenuToday } from "#menu-today/texts.en.ts";
import type { enMessages } from "#messages/texts.en.ts";
import type { enNewOrder } from "#orders/new-order/texts.en.ts";
import type { enService } from "#orders/texts-service.en.ts";
import type { enReports } from "#reports/texts.en.ts";
import type { enReviews } from "#reviews/texts.en.ts";
import type { enScreens } from "#screen/texts.en.ts";
import type { enCharges } from "#settings/charges/texts.en.ts";
import type { enFloor } from "#settings/floor/texts.en.ts";
import type { enHours } from "#settings/hours/texts.en.ts";
import type { enTill } from "#settings/till/texts.en.ts";
import type { enVenueFile } from "#settings/venue-file/texts.en.ts";
import type { enShifts } from "#shifts/texts.en.ts";
import type { enSignUp } from "#sign-up/texts.en.ts";
import type { enStock } from "#stock/texts.en.ts";
import type { enTeam } from "#team/texts.en.ts";
import type { en } from "./texts.en.ts";

type WithStringLeaves<T> = { [K in keyof T]: T[K] extends string ? string : WithStringLeaves<T[K]> };
export type ConsoleTexts = WithStringLeaves<
  typeof en &
    typeof enAccess &
    typeof enMemberships &
    typeof enApps &
    typeof enBills &
    typeof enTryBooking &
    typeof enSignature &
    typeof enLogs &
    typeof enDeveloper &
    typeof enExperiences &
    typeof enGiftCards &
    typeof enGuests &
    typeof enForms &
    typeof enMenuToday &
    typeof enMenuTools &
    typeof enMenu &
    typeof enMessages &
    typeof enService &
    typeof enReports &
    typeof enReviews &
    typeof enScreens &
    typeof enCharges &
    typeof enFloor &
    typeof enHours &
    typeof enTill &
    typeof enVenueFile &
    typeof enShifts &
    typeof enStock &
    typeof enTeam & { newOrder: typeof enNewOrder; kitchen: typeof enKitchen; bookings: typeof enBookings; signUp: typeof enSignUp }
>;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: ConsoleTexts };
  }
}
