/** Registers the texts of sign-up and opening. They load with their pages. */
import { enSignUp } from "../texts/en-sign-up.ts";
import { addEnglishTexts } from "../texts/language.ts";

addEnglishTexts({ signUp: enSignUp });
