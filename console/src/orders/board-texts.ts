/** The English texts of the board, which are not part of the entry. Arabic texts are loaded as a whole. */
import { enService } from "../texts/en-service.ts";
import { addEnglishTexts } from "../texts/language.ts";

addEnglishTexts(enService);
