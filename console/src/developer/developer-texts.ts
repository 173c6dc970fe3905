/** The English texts of the developer pages and of apps, which are not part of the entry. Arabic texts are loaded as a whole. */
import { enDeveloper } from "../texts/en-developer.ts";
import { addEnglishTexts } from "../texts/language.ts";

addEnglishTexts(enDeveloper);
