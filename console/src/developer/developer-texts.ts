/** The English texts of the developer pages and of apps, which are not part of the entry. Arabic texts are loaded as a whole. */

import { addEnglishTexts } from "#kit/language.ts";
import { enDeveloper } from "./texts.en.ts";

addEnglishTexts(enDeveloper);
