/** Registers the texts of the bookings page. They load with it. */

import { addEnglishTexts } from "#kit/language.ts";
import { enBookings } from "./texts.en.ts";

addEnglishTexts({ bookings: enBookings });
