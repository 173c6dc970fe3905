import type { InstalledApp } from "@comanda/contract/console/apps.ts";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { sumDay, tokensQuery } from "#developer/token-queries.ts";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { sortScopes } from "../sensitive-scopes.ts";

export const Uninstall = ({ installation, onClose }: { installation: InstalledApp | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"uninstallApp">({ readAgain: [["apps", venue], tokensQuery(venue).queryKey] });
  const uninstall = ({ id, app: { name } }: InstalledApp) =>
    write({ id: "uninstallApp", params: { venue, id } }, () => {
      onClose();
      toast.done(t("apps.uninstalled", { name }));
    });
  return (
    <ConfirmDialog
      isOpen={installation !== null}
      title={t("apps.uninstallTitle", { name: installation?.app.name ?? "" })}
      lead={t("apps.uninstallLead")}
      action={t("apps.uninstall")}
      isPending={isPending}
      onConfirm={() => installation && uninstall(installation)}
      onClose={onClose}
    >
      {installation && <WhatStops installation={installation} />}
    </ConfirmDialog>
  );
};

const WhatStops = ({ installation }: { installation: InstalledApp }) => {
  const { t } = useTranslation();
  const { requests } = sumDay(installation.hours);
  return (
    <div className="sheet inset">
      <Text size="sm" fw={550}>
        {t("apps.uninstallStops")}
      </Text>
      <ul className="plain-list">
        {sortScopes(installation.scopes).map((scope) => (
          <li key={scope}>{t(`scopes.${scope}`)}</li>
        ))}
      </ul>
      {requests > 0 && (
        <Text size="sm" mt="xs" c="var(--sandbox-text)">
          {t("apps.uninstallBusy", { count: requests })}
        </Text>
      )}
    </div>
  );
};
