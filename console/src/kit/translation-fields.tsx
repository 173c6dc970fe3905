/** A text in several languages, one field each. */
import type { Translations } from "@comanda/contract/shared.ts";
import { Textarea, TextInput } from "@mantine/core";
import { codeNames } from "./code-names.ts";
import { currentLanguage } from "./language.ts";

export const languageName = (code: string): string => codeNames("language", currentLanguage())(code);

/** An emptied text is as it was before anyone wrote one: missing, or null. */
const withText = (texts: Translations, saved: Translations | null | undefined, language: string, text: string): Translations => {
  if (text !== "") return { ...texts, [language]: text };
  const { [language]: _emptied, ...rest } = texts;
  return saved && language in saved ? { ...rest, [language]: null } : rest;
};

type TranslationFieldsProps = {
  label: string;
  languages: readonly string[];
  texts: Translations;
  saved: Translations | null | undefined;
  lengthMax: number;
  isLong?: boolean;
  /** Shown at the first field. */
  error?: string | null;
  onChange: (texts: Translations) => void;
};

export const TranslationFields = ({ label, languages, texts, saved, lengthMax, isLong, error, onChange }: TranslationFieldsProps) =>
  languages.map((language, at) => {
    const shared = {
      size: "md",
      dir: "auto",
      lang: language,
      label: languages.length === 1 ? label : `${label} (${languageName(language)})`,
      maxLength: lengthMax,
      autoComplete: "off",
      value: texts[language] ?? "",
      error: at === 0 ? (error ?? null) : null,
    } as const;
    const write = (text: string): void => onChange(withText(texts, saved, language, text));
    return isLong ? (
      <Textarea key={language} {...shared} autosize minRows={2} onChange={({ currentTarget: { value } }) => write(value)} />
    ) : (
      <TextInput key={language} {...shared} onChange={({ currentTarget: { value } }) => write(value)} />
    );
  });
