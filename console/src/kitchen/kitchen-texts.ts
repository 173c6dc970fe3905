/** The English texts of the display, which are not part of the entry. Arabic texts are loaded as a whole. */
import { enKitchen } from "../texts/en-kitchen.ts";
import { addEnglishTexts } from "../texts/language.ts";

addEnglishTexts({ kitchen: enKitchen });
