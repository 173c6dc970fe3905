/** The English texts of the board, which are not part of the entry. Arabic texts are loaded as a whole. */

import { addEnglishTexts } from "#kit/language.ts";
import { enService } from "./texts-service.en.ts";

addEnglishTexts(enService);
