/** The English texts of the logs, which are not part of the entry. Arabic texts are loaded as a whole. */
import { enLogs } from "../texts/en-logs.ts";
import { addEnglishTexts } from "../texts/language.ts";

addEnglishTexts(enLogs);
