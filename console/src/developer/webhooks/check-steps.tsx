import type { CheckStep } from "@comanda/contract/console-developer.ts";
import { Loader, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { spoken } from "../../texts/language.ts";
import { useServerTexts } from "../../texts/server.ts";
import { writeMs } from "../../ui/figures.ts";
import { StateMark } from "../state-mark.tsx";

const STEPS: CheckStep["step"][] = ["https", "dns", "public", "tls", "ping"];

/** Null while they are being taken. */
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
          {t(`endpoint.checkAdvice.${failed.step}`)} <span className="quiet">{t("endpoint.saveAnyway")}</span>
        </Text>
      )}
    </div>
  );
};

const Step = ({ name, step }: { name: CheckStep["step"]; step: CheckStep | null }) => {
  const { t } = useTranslation();
  const { say } = useServerTexts();
  if (step === null)
    return (
      <li className="check-step check-blank">
        <StateMark mark="wait">
          {t(`endpoint.steps.${name}`)} <span className="sr">({t("endpoint.notReached")})</span>
        </StateMark>
      </li>
    );
  // What went well has words here in every language; what failed is said by the service.
  const words = step.is_good && spoken() === "ar" ? t(`endpoint.good.${name}`) : say(step.sentence);
  return (
    <li className="check-step">
      <StateMark mark={step.is_good ? "good" : "bad"}>
        {t(`endpoint.steps.${name}`)} <span className="sr">({t(step.is_good ? "endpoint.passed" : "endpoint.failed")})</span>
      </StateMark>
      <span className="check-words" dir="auto">
        {words}
      </span>
      {step.ms > 0 && <span className="figures quiet">{writeMs(step.ms)}</span>}
    </li>
  );
};
