import type { Overlap } from "@comanda/contract/console-operation.ts";
import type { TokenRow } from "@comanda/contract/console-tokens.ts";
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "../api.ts";
import { OverlapChoice } from "../ui/overlap.tsx";
import { Fault } from "../ui/states.tsx";
import type { NewToken } from "./shown-once.tsx";
import { useTokensChanged } from "./token-queries.ts";
import { useVenue } from "./venue.ts";

type Props = { token: TokenRow | null; onClose: () => void; onRolled: (token: NewToken) => void };

export const RollToken = ({ token, onClose, onRolled }: Props) => {
  const { t } = useTranslation();
  return (
    <Modal
      opened={token !== null}
      onClose={onClose}
      title={t("roll.title", { name: token?.name ?? "" })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {token && <RollForm token={token} onClose={onClose} onRolled={onRolled} />}
    </Modal>
  );
};

const RollForm = ({ token, onClose, onRolled }: Props & { token: TokenRow }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const tokensChanged = useTokensChanged(venue);
  const [overlap, setOverlap] = useState<Overlap>("24h");
  const roll = useMutation({
    mutationFn: async () => (await call("rollToken", { params: { venue, id: token.id }, body: { overlap } })).data,
    onSuccess: async (rolled) => {
      onClose();
      onRolled({ token: rolled.token, scopes: token.scopes });
      await tokensChanged();
    },
  });
  return (
    <Stack gap="md">
      <Text c="dimmed">{t("roll.lead")}</Text>
      <OverlapChoice label={t("roll.overlap")} value={overlap} onChange={setOverlap} nowWarning={t("roll.nowWarning")} />
      {roll.error && <Fault error={roll.error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button loading={roll.isPending} onClick={() => roll.mutate()}>
          {t("roll.submit")}
        </Button>
      </Group>
    </Stack>
  );
};
