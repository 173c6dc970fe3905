import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { KeyIcon } from "#kit/icons.tsx";

const STEPS = ["make", "put", "ask"] as const;

export const NoTokens = ({ action }: { action: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<KeyIcon size={28} />} title={t("tokens.emptyTitle")}>
      <Text c="dimmed" maw={520}>
        {t("tokens.emptyLead")}
      </Text>
      <ol className="steps">
        {STEPS.map((step) => (
          <li key={step}>{t(`tokens.emptySteps.${step}`)}</li>
        ))}
      </ol>
      {action}
    </EmptyState>
  );
};
