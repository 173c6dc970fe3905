/** Registers the texts of the bookings page. They load with it. */
import { enBookings } from "../texts/en-bookings.ts";
import { addEnglishTexts } from "../texts/language.ts";

addEnglishTexts({ bookings: enBookings });
