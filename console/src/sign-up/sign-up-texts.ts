/** Registers the texts of sign-up and opening. They load with their pages. */

import { addEnglishTexts } from "#kit/language.ts";
import { enSignUp } from "./texts.en.ts";

addEnglishTexts({ signUp: enSignUp });
