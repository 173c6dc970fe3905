import type { CheckStep } from "@comanda/contract/console/webhooks.ts";
import { Loader, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatMs } from "../../ui/number-format.ts";
import { StateMark } from "../state-mark.tsx";

const STEPS: CheckStep["step"][] = ["https", "dns", "public", "tls", "ping"];

/** The server also refuses to save a URL that fails these steps. */
const REFUSED: CheckStep["step"][] = ["https", "public"];

/** `steps` is null while the check runs. */
export const CheckSteps = ({ steps }: { steps: CheckStep[] | null }) => {
  const { t } = useTranslation();
  const failed = steps?.find(({ is_good }) => !is_good);
  return (
    <div className="sheet inset" role="status">
      {steps === null && (
        <p className="state-mark check-looking">
          <Loader size={14} /> {t("endpoint.checking")}
        </p>
      )}
      <ol className="check-steps">
        {STEPS.map((name) => (
          <Step key={name} name={name} step={steps?.find(({ step }) => step === name) ?? null} />
        ))}
      </ol>
      {failed && (
        <Text size="sm" mt="xs">
          {t(`endpoint.checkAdvice.${failed.step}`)}{" "}
          {!REFUSED.includes(failed.step) && <span className="quiet">{t("endpoint.saveAnyway")}</span>}
        </Text>
      )}
    </div>
  );
};

const Step = ({ name, step }: { name: CheckStep["step"]; step: CheckStep | null }) => {
  const { t } = useTranslation();
  if (step === null)
    return (
      <li className="check-step check-blank">
        <StateMark mark="wait">
          {t(`endpoint.steps.${name}`)} <span className="sr">({t("endpoint.notReached")})</span>
        </StateMark>
      </li>
    );
  const { code, values } = step.reason;
  return (
    <li className="check-step">
      <StateMark mark={step.is_good ? "good" : "bad"}>
        {t(`endpoint.steps.${name}`)} <span className="sr">({t(step.is_good ? "endpoint.passed" : "endpoint.failed")})</span>
      </StateMark>
      <span className="check-words" dir="auto">
        {t(`reasons.${code}`, values)}
        {!step.is_good && values.status !== undefined && <bdi className="figures"> ({values.status})</bdi>}
      </span>
      {step.ms > 0 && <span className="figures quiet">{formatMs(step.ms)}</span>}
    </li>
  );
};
