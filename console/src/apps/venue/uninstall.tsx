import type { InstalledApp } from "@comanda/contract/console/apps.ts";
import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../../api.ts";
import { sumDay } from "../../developer/token-queries.ts";
import { useVenue } from "../../developer/venue.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useToast } from "../../ui/toast.ts";
import { useVenueAppsChanged } from "../app-queries.ts";
import { sortScopes } from "../sensitive-scopes.ts";

export const Uninstall = ({ installation, onClose }: { installation: InstalledApp | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const appsChanged = useVenueAppsChanged(venue);
  const uninstall = useMutation({
    mutationFn: (gone: InstalledApp) => call("uninstallApp", { params: { venue, id: gone.id } }),
    onSuccess: async (_, gone) => {
      onClose();
      toast.done(t("apps.uninstalled", { name: gone.app.name }));
      await appsChanged();
    },
    onError: toast.error,
  });
  return (
    <ConfirmDialog
      isOpen={installation !== null}
      title={t("apps.uninstallTitle", { name: installation?.app.name ?? "" })}
      lead={t("apps.uninstallLead")}
      action={t("apps.uninstall")}
      isPending={uninstall.isPending}
      onConfirm={() => installation && uninstall.mutate(installation)}
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
