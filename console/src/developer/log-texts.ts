/** The English texts of the logs, which are not part of the entry. Arabic texts are loaded as a whole. */

import { addEnglishTexts } from "#kit/language.ts";
import { enLogs } from "./texts-logs.en.ts";

addEnglishTexts(enLogs);
