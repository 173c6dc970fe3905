/** The tokens page in the sandbox: it has one token, and a new one replaces it. */
import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { EmptyState } from "#kit/empty-state.tsx";
import { FlaskIcon } from "#kit/icons.tsx";
import type { CreatedToken } from "./new-token-modal.tsx";
import { useOpenSandbox } from "./sandbox-queries.ts";

type NewSandboxTokenProps = { hasToken: boolean; onCreated: (token: CreatedToken) => void };

export const NewSandboxToken = ({ hasToken, onCreated }: NewSandboxTokenProps) => {
  const { t } = useTranslation();
  const { open, isPending } = useOpenSandbox(onCreated);
  const [isAsking, asking] = useDisclosure(false);
  const renew = () => {
    asking.close();
    open();
  };
  return (
    <>
      <Button className="sandbox-button" loading={isPending} onClick={hasToken ? asking.open : renew}>
        {t("sandbox.newToken")}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("sandbox.newTokenTitle")}
        lead={t("sandbox.newTokenLead")}
        action={t("sandbox.newToken")}
        isPending={isPending}
        onConfirm={renew}
        onClose={asking.close}
      />
    </>
  );
};

export const NoSandboxToken = ({ onCreated }: Pick<NewSandboxTokenProps, "onCreated">) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<FlaskIcon size={28} />} title={t("sandbox.noToken")}>
      <Text c="dimmed" maw={520}>
        {t("place.tokensLead")}
      </Text>
      <NewSandboxToken hasToken={false} onCreated={onCreated} />
    </EmptyState>
  );
};
