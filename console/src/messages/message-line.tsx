/** One message: its recipient, whether it was sent, why not, and a way to send it again. */
import type { VenueMessage } from "@comanda/contract/console/messages.ts";
import { Button } from "@mantine/core";
import { Suspense, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { WarningIcon } from "#kit/icons.tsx";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { lazyPart } from "#shell/offline.tsx";
import "./messages.css";

const RetryDialog = lazyPart(() => import("./retry-dialog.tsx"), "RetryDialog");

const KINDS = {
  "reservation.confirmed": "reservation.confirmed",
  "reservation.requested": "reservation.requested",
  "reservation.cancelled": "reservation.cancelled",
  "waitlist.ready": "waitlist.ready",
  "review.requested": "review.requested",
  "review.replied": "review.replied",
  "shifts.published": "shifts.published",
  "staff.invited": "staff.invited",
} as const;

export const useKindName = (): ((message: VenueMessage) => string) => {
  const { t } = useTranslation();
  return ({ kind }) => t(`messages.kinds.${KINDS[kind as keyof typeof KINDS] ?? "other"}`);
};

/** Empty where nothing went wrong. */
export const useFailureText = (): ((message: VenueMessage) => string) => {
  const { t } = useTranslation();
  return ({ failure, state }) => {
    if (failure === null) return state === "skipped" ? t("messages.sandbox") : "";
    const why = t(`messages.failures.${failure}`);
    return state === "waiting" ? `${why} ${t("messages.triedAgain")}` : why;
  };
};

export const MessageLine = ({ message, zone }: { message: VenueMessage; zone?: string | undefined }) => {
  const { t } = useTranslation();
  const nameOf = useKindName();
  const failureOf = useFailureText();
  const why = failureOf(message);
  const values = { recipient: message.recipient, time: formatDayAndClock(message.updated_at, zone) };
  return (
    <div className="message-line" data-state={message.state}>
      <span>
        <b>{nameOf(message)}</b>
        <span className="message-state">
          {message.state === "failed" && <WarningIcon size={18} />}
          <span>
            <Trans t={t} i18nKey={`messages.states.${message.state}`} values={values} components={{ bdi: <bdi /> }} />
            {why !== "" && `. ${why}`}
          </span>
        </span>
      </span>
      {message.can_retry && <SendAgain message={message} />}
    </div>
  );
};

export const SendAgain = ({ message }: { message: VenueMessage }) => {
  const { t } = useTranslation();
  const nameOf = useKindName();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        className="service-target"
        aria-label={t("messages.retry.openOf", { kind: nameOf(message), recipient: message.recipient })}
        onClick={() => setOpen(true)}
      >
        {t("messages.retry.open")}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <RetryDialog message={message} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
