/** They load with the pages that show them. */

import { addEnglishTexts } from "#kit/language.ts";
import { enMemberships } from "./texts-memberships.en.ts";

addEnglishTexts(enMemberships);
