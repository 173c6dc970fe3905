import type { DeliveryDetail } from "@comanda/contract/console/webhooks.ts";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatMs } from "#kit/number-format.ts";
import { RelativeTime } from "#kit/relative-time.tsx";
import { StateMark } from "../state-mark.tsx";

type DeliveryAttempt = DeliveryDetail["log"][number];

/** The newest attempt comes first. */
export const AttemptList = ({ log, cycles }: { log: DeliveryAttempt[]; cycles: number }) => {
  const { t } = useTranslation();
  if (log.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("delivery.none")}
      </Text>
    );
  return (
    <ol className="attempts">
      {log.toReversed().map((attempt) => (
        <AttemptItem key={`${attempt.cycle}.${attempt.attempt}`} attempt={attempt} isNamed={cycles > 1} />
      ))}
    </ol>
  );
};

const AttemptItem = ({ attempt, isNamed }: { attempt: DeliveryAttempt; isNamed: boolean }) => {
  const { t } = useTranslation();
  const cycle = attempt.cycle === 1 ? t("delivery.first") : t("delivery.replayNumber", { number: attempt.cycle - 1 });
  return (
    <li className="attempt">
      <div className="attempt-head">
        <StateMark mark={attempt.failure === null ? "good" : "bad"}>
          {isNamed && `${cycle} · `}
          {t("delivery.attempt", { attempt: attempt.attempt })}
        </StateMark>
        <span className="figures">{attempt.status ?? t("delivery.noStatus")}</span>
        <span className="figures quiet">{formatMs(attempt.duration_ms)}</span>
        <span className="quiet">
          <RelativeTime at={attempt.at} />
        </span>
      </div>
      {attempt.failure && <p dir="auto">{t(`reasons.${attempt.failure.code}`, attempt.failure.values)}</p>}
      {attempt.status !== null && (
        <details>
          <summary>{t("delivery.answer")}</summary>
          {attempt.answer === "" ? (
            <p className="quiet">{t("delivery.noAnswer")}</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
            <pre className="code answer" tabIndex={0} translate="no">
              {attempt.answer}
            </pre>
          )}
        </details>
      )}
    </li>
  );
};
