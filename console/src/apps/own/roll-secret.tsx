import type { OwnApp } from "@comanda/contract/console-apps.ts";
import type { Overlap } from "@comanda/contract/console-operation.ts";
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../../api.ts";
import { useFaultWords } from "../../texts/server.ts";
import { OverlapChoice } from "../../ui/overlap.tsx";
import { fieldFaults } from "../../ui/refusal.ts";
import { Fault } from "../../ui/states.tsx";
import { useOwnAppsChanged } from "../app-queries.ts";
import type { NewSecret } from "./secret-shown.tsx";

type Props = { app: OwnApp | null; onClose: () => void; onRolled: (made: NewSecret) => void };

export const RollSecret = ({ app, onClose, onRolled }: Props) => {
  const { t } = useTranslation();
  return (
    <Modal
      opened={app !== null}
      onClose={onClose}
      title={t("appSecret.rollTitle", { name: app?.name ?? "" })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {app && <RollForm app={app} onClose={onClose} onRolled={onRolled} />}
    </Modal>
  );
};

const RollForm = ({ app, onClose, onRolled }: Props & { app: OwnApp }) => {
  const { t } = useTranslation();
  const say = useFaultWords();
  const appsChanged = useOwnAppsChanged();
  const [overlap, setOverlap] = useState<Overlap>("24h");
  const roll = useMutation({
    mutationFn: async () => (await call("rollAppSecret", { params: { id: app.id }, body: { overlap } })).data,
    onSuccess: async (made) => {
      onRolled(made);
      await appsChanged();
    },
  });
  const fault = fieldFaults(roll.error).overlap;
  return (
    <Stack gap="md">
      <Text c="dimmed">{t("appSecret.rollLead")}</Text>
      <OverlapChoice
        label={t("appSecret.rollOverlap")}
        value={overlap}
        onChange={setOverlap}
        nowWarning={t("appSecret.rollNow")}
        fault={fault && say(fault)}
      />
      {roll.error && !fault && <Fault error={roll.error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button loading={roll.isPending} onClick={() => roll.mutate()}>
          {t("appSecret.rollSubmit")}
        </Button>
      </Group>
    </Stack>
  );
};
