import type { OwnApp } from "@comanda/contract/console/apps.ts";
import type { GracePeriod } from "@comanda/contract/console/operation.ts";
import { useTranslation } from "react-i18next";
import { call } from "../../api.ts";
import { RotateDialog } from "../../ui/rotate-dialog.tsx";
import { useOwnAppsChanged } from "../app-queries.ts";
import type { NewClientSecret } from "./client-secret-modal.tsx";

type RollSecretProps = { app: OwnApp | null; onClose: () => void; onRolled: (made: NewClientSecret) => void };

export const RollSecret = ({ app, onClose, onRolled }: RollSecretProps) => {
  const { t } = useTranslation();
  const appsChanged = useOwnAppsChanged();
  const rotate = async (overlap: GracePeriod): Promise<void> => {
    if (!app) return;
    const { data } = await call("rollAppSecret", { params: { id: app.id }, body: { overlap } });
    onRolled(data);
    await appsChanged();
  };
  const texts = {
    lead: t("appSecret.rollLead"),
    overlap: t("appSecret.rollOverlap"),
    nowWarning: t("appSecret.rollNow"),
    submit: t("appSecret.rollSubmit"),
  };
  const title = t("appSecret.rollTitle", { name: app?.name ?? "" });
  return <RotateDialog isOpen={app !== null} title={title} texts={texts} onRotate={rotate} onClose={onClose} />;
};
