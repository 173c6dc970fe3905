/** The kinds of values that settings have. A kind turns the text of a setting into its value, or says what is wrong with the text. */
import { ESCAPE_ADVICE, hasStrayAt, parseDatabaseUrl, splitDatabaseUrls } from "./database-url.ts";
import { type EncryptionKey, parseEncryptionKeys } from "./encryption.ts";

/** `fault` continues a sentence that begins with the setting's name. It never contains the text: that may be a password. */
export type ParsedSetting<T> = { value: T } | { fault: string };

/** `text` is null when the setting has neither a value nor a default. */
export type SettingKind<T> = (text: string | null, meaning: string) => ParsedSetting<T>;

const required =
  <T>(parse: (text: string, meaning: string) => ParsedSetting<T>): SettingKind<T> =>
  (text, meaning) =>
    text === null ? { fault: `is missing (${meaning}).` } : parse(text, meaning);

/** `without` is the value of a setting that is not set. */
export const optional =
  <T, W>(kind: SettingKind<T>, without: W): SettingKind<T | W> =>
  (text, meaning) =>
    text === null ? { value: without } : kind(text, meaning);

export const text: SettingKind<string> = required<string>((value) => ({ value }));

export const wholeNumber = (min: number, max: number): SettingKind<number> =>
  required<number>((value, meaning) => {
    const number = Number(value);
    if (Number.isInteger(number) && number >= min && number <= max) return { value: number };
    return { fault: `must be a whole number from ${min} to ${max} (${meaning}).` };
  });

export const oneOf = <const Choice extends string>(...choices: Choice[]): SettingKind<Choice> =>
  required<Choice>((value) => {
    const choice = choices.find((candidate) => candidate === value);
    return choice === undefined ? { fault: `must be one of ${choices.join(", ")}.` } : { value: choice };
  });

export const trueOrFalse: SettingKind<boolean> = (value, meaning) => {
  const parsed = oneOf("true", "false")(value, meaning);
  return "fault" in parsed ? parsed : { value: parsed.value === "true" };
};

export const url = (...protocols: string[]): SettingKind<string> =>
  required<string>((value, meaning) => {
    if (!protocols.some((protocol) => value.startsWith(protocol)))
      return { fault: `must be an address that begins with ${protocols.join(" or ")} (${meaning}).` };
    if (!URL.canParse(value) || hasStrayAt(value)) return { fault: `cannot be read. ${ESCAPE_ADVICE}.` };
    return { value };
  });

/** Paths are appended to it, so a slash at its end is removed. */
export const baseUrl: SettingKind<string> = (value, meaning) => {
  const parsed = url("http://", "https://")(value, meaning);
  return "fault" in parsed ? parsed : { value: parsed.value.replace(/\/+$/, "") };
};

export const databaseUrl: SettingKind<string> = required<string>((value) => {
  const parsed = parseDatabaseUrl(value);
  return typeof parsed === "string" ? { fault: parsed } : { value };
});

export const databaseUrls: SettingKind<string[]> = required<string[]>((value, meaning) => {
  const urls = splitDatabaseUrls(value);
  const fault = urls.map(parseDatabaseUrl).find((parsed) => typeof parsed === "string");
  if (fault === undefined) return { value: urls };
  return { fault: `must be addresses that begin with postgres:// (${meaning}). One of them ${fault}` };
});

const splitList = (value: string): string[] =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

export const list: SettingKind<string[]> = required<string[]>((value) => ({ value: splitList(value) }));

export const callingCodes: SettingKind<readonly string[]> = required<readonly string[]>((value) => {
  const codes = splitList(value);
  if (codes.every((code) => /^\+[1-9]\d{0,3}$/.test(code))) return { value: codes };
  return { fault: "must be a list of calling codes, such as +39,+41." };
});

export const encryptionKeys: SettingKind<readonly EncryptionKey[]> = required<readonly EncryptionKey[]>((value) => {
  const keys = parseEncryptionKeys(value);
  return keys === null ? { fault: "must be a list of name:key, each key 32 bytes in base64, each name once." } : { value: keys };
});
