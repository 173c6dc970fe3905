import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { HookIcon } from "#kit/icons.tsx";

const STEPS = ["address", "secret", "ping"] as const;

export const NoWebhooks = ({ action }: { action: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<HookIcon size={28} />} title={t("webhooks.emptyTitle")}>
      <Text c="dimmed" maw={540}>
        {t("webhooks.emptyLead")}
      </Text>
      <ol className="steps">
        {STEPS.map((step) => (
          <li key={step}>{t(`webhooks.emptySteps.${step}`)}</li>
        ))}
      </ol>
      {action ?? <Text size="sm">{t("webhooks.emptyManager")}</Text>}
    </EmptyState>
  );
};
