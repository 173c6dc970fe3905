import type { CheckStep } from "@comanda/contract/console/webhooks.ts";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { formatMs } from "#kit/number-format.ts";
import { StateMark } from "../state-mark.tsx";

const STEPS: CheckStep["step"][] = ["https", "dns", "public", "tls", "ping"];

/** The server also refuses to save a URL that fails these steps. */
const REFUSED: CheckStep["step"][] = ["https", "public"];

type CheckStepsProps = { isRunning: boolean; steps: CheckStep[] | null };

/** `steps` is null before the check and while it runs. Both are as high as the result, so that the form below stays where it is. */
export const CheckSteps = ({ isRunning, steps }: CheckStepsProps) => {
  const { t } = useTranslation();
  return (
    <div className="sheet inset" role="status">
      <ol className="check-steps">
        {STEPS.map((name) => (
          <Step key={name} name={name} step={steps?.find(({ step }) => step === name) ?? null} />
        ))}
      </ol>
      <Text size="sm" className="check-outcome">
        {steps ? <Outcome steps={steps} /> : <span className="quiet">{t(isRunning ? "endpoint.checking" : "endpoint.checkHint")}</span>}
      </Text>
    </div>
  );
};

const Outcome = ({ steps }: { steps: CheckStep[] }) => {
  const { t } = useTranslation();
  const failed = steps.find(({ is_good }) => !is_good);
  if (!failed) return t("endpoint.allPassed");
  return (
    <>
      {t(`endpoint.checkAdvice.${failed.step}`)}{" "}
      {!REFUSED.includes(failed.step) && <span className="quiet">{t("endpoint.saveAnyway")}</span>}
    </>
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
        <span className="check-words">&nbsp;</span>
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
