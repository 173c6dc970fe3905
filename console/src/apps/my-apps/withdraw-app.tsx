import type { OwnApp } from "@comanda/contract/console/apps.ts";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { ownAppsQuery } from "../app-queries.ts";

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
  const [typed, setTyped] = useState("");
  const { write, isPending, error } = useWrite<"withdrawApp">({
    readAgain: [ownAppsQuery.queryKey],
    onDone: () => toast.done(t("appSecret.withdrawn", { name: app.name })),
    onClose,
    // The form says why.
    onRefused: () => undefined,
  });
  const isSure = typed.trim() === app.name.trim();
  const submit = () => {
    if (isSure) write({ id: "withdrawApp", params: { id: app.id } });
  };
  return (
    <Form onSubmit={submit}>
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
        {error && <ErrorAlert error={error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" color="red.9" disabled={!isSure} loading={isPending}>
            {t("appSecret.withdrawSubmit")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
