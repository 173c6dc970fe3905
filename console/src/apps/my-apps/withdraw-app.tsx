import type { OwnApp } from "@comanda/contract/console/apps.ts";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../api.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorAlert } from "../../ui/page-states.tsx";
import { useToast } from "../../ui/toast.ts";
import { useOwnAppsChanged } from "../app-queries.ts";

type WithdrawAppProps = { app: OwnApp | null; onClose: () => void };

export const WithdrawApp = ({ app, onClose }: WithdrawAppProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={app !== null} onClose={onClose} title={t("appSecret.withdrawTitle", { name: app?.name ?? "" })}>
      {app && <WithdrawForm app={app} onClose={onClose} />}
    </Dialog>
  );
};

/** Other venues depend on the app, so the developer has to type its name. */
const WithdrawForm = ({ app, onClose }: WithdrawAppProps & { app: OwnApp }) => {
  const { t } = useTranslation();
  const toast = useToast();
  const appsChanged = useOwnAppsChanged();
  const [typed, setTyped] = useState("");
  const withdraw = useMutation({
    mutationFn: () => call("withdrawApp", { params: { id: app.id } }),
    onSuccess: async () => {
      onClose();
      toast.done(t("appSecret.withdrawn", { name: app.name }));
      await appsChanged();
    },
  });
  const isSure = typed.trim() === app.name.trim();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isSure) withdraw.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>{t("appSecret.withdrawLead", { count: app.installations })}</Text>
        <TextInput
          label={t("appSecret.withdrawType")}
          placeholder={app.name}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          dir="auto"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {withdraw.error && <ErrorAlert error={withdraw.error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" color="red.9" disabled={!isSure} loading={withdraw.isPending}>
            {t("appSecret.withdrawSubmit")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
