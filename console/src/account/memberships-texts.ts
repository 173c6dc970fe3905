/** They load with the pages that show them. */
import { enMemberships } from "../texts/en-memberships.ts";
import { addEnglishTexts } from "../texts/language.ts";

addEnglishTexts(enMemberships);
