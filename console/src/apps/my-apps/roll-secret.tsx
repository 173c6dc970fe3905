import type { OwnApp } from "@comanda/contract/console/apps.ts";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { useWrite } from "#kit/write.ts";
import { RotateForm } from "#shell/rotate-form.tsx";
import { ownAppsQuery } from "../app-queries.ts";
import type { NewClientSecret } from "./client-secret-modal.tsx";

type RollSecretProps = { app: OwnApp | null; onClose: () => void; onRolled: (made: NewClientSecret) => void };

export const RollSecret = ({ app, onClose, onRolled }: RollSecretProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={app !== null} onClose={onClose} title={t("appSecret.rollTitle", { name: app?.name ?? "" })}>
      {app && <RollForm app={app} onClose={onClose} onRolled={onRolled} />}
    </Dialog>
  );
};

const RollForm = ({ app: { id }, onClose, onRolled }: RollSecretProps & { app: OwnApp }) => {
  const { t } = useTranslation();
  const { write, ...sending } = useWrite<"rollAppSecret">({
    readAgain: [ownAppsQuery.queryKey],
    onDone: ({ data }) => onRolled(data),
    // The form says why.
    onRefused: () => undefined,
  });
  const texts = {
    lead: t("appSecret.rollLead"),
    overlap: t("appSecret.rollOverlap"),
    nowWarning: t("appSecret.rollNow"),
    submit: t("appSecret.rollSubmit"),
  };
  return (
    <RotateForm
      texts={texts}
      {...sending}
      onRotate={(overlap) => write({ id: "rollAppSecret", params: { id }, body: { overlap } })}
      onClose={onClose}
    />
  );
};
