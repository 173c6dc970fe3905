/** The English texts of the display, which are not part of the entry. Arabic texts are loaded as a whole. */

import { addEnglishTexts } from "#kit/language.ts";
import { enKitchen } from "./texts.en.ts";

addEnglishTexts({ kitchen: enKitchen });
