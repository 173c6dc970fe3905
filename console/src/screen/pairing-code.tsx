/** The eight characters, what to do with them, and how long they are valid. */
import { VisuallyHidden } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { useErrorText } from "#kit/error-text.ts";
import { BigButton, ScreenTitle } from "./screen-layout.tsx";

const formatLeft = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

type PairingCodeProps = { code: string; validUntil: number; error: Error | null; onRetry: () => void };

export const PairingCode = ({ code, validUntil, error, onRetry }: PairingCodeProps) => {
  const { t } = useTranslation();
  const describe = useErrorText();
  const left = useOfClock((now) => formatLeft(validUntil - now));
  return (
    <>
      <ScreenTitle>{t("screenPage.code.title")}</ScreenTitle>
      <p className="screen-code figures" dir="ltr">
        <VisuallyHidden>{[...code].join(" ")}</VisuallyHidden>
        <span aria-hidden="true">{code.slice(0, 4)}</span>
        <span aria-hidden="true">{code.slice(4)}</span>
      </p>
      <p className="screen-lead">
        <Trans t={t} i18nKey="screenPage.code.lead" components={{ b: <b /> }} />
      </p>
      <p className="screen-left figures">{t("screenPage.code.left", { time: left })}</p>
      {error && (
        <div className="screen-error" role="alert">
          <p>{describe(error)}</p>
          <BigButton isQuiet onClick={onRetry}>
            {t("common.retry")}
          </BigButton>
        </div>
      )}
    </>
  );
};
