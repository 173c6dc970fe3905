/** Error texts in the reader's language. */
import { useTranslation } from "react-i18next";
import { CallError } from "./api.ts";

/** What the server refuses of the rules, by the path of the field within them. */

export type RuleErrors = Readonly<Record<string, string>>;

export const readRuleErrors = (error: unknown): RuleErrors =>
  Object.fromEntries(Object.entries(fieldErrors(error)).map(([path, sentence]) => [path.replace(/^rules\./, ""), sentence]));

const PLAIN = [
  "offline",
  "unreadable",
  "signed_out",
  "sign_in_failed",
  "second_factor_required",
  "sign_in_link_required",
  "password_required",
  "role_required",
  "second_factor_setup_required",
  "sign_in_again",
  "not_found",
  "validation_failed",
  "service_unavailable",
] as const;

export const useErrorText = () => {
  const { t } = useTranslation();
  return (error: unknown): string => {
    if (!(error instanceof CallError)) return t("crash.lead");
    const plain = PLAIN.find((code) => code === error.code);
    if (plain) return t(`refusals.${plain}`);
    if (error.code === "rate_limited")
      return error.retryAfterSeconds === null
        ? t("refusals.rate_limited")
        : t("refusals.rate_limited_wait", { seconds: error.retryAfterSeconds });
    if (error.code === "server_error") return t("refusals.server_error", { request: error.requestId ?? "-" });
    return t("refusals.other", { message: error.message });
  };
};

/** The first error of each field of `validation_failed`. */
export const fieldErrors = (error: unknown): Record<string, string> => {
  if (!(error instanceof CallError) || error.code !== "validation_failed") return {};
  return Object.fromEntries(
    Object.entries(error.details).map(([field, sentences]) => [field, String(Array.isArray(sentences) ? sentences[0] : sentences)]),
  );
};
