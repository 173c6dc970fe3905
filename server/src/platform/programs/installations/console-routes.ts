/** Calls for the apps that a venue has installed, and for the catalogue. */
import type { VenueCalls } from "#http/console/calls.ts";
import { readHourlyUsage } from "#platform/activity/request-log/service.ts";
import { cardOf, readCatalogue } from "#platform/programs/apps/service.ts";
import { sumHourlyUsage } from "./rules/grant-secrets.ts";
import { listInstallations, uninstallApp } from "./service.ts";

type InstallationIds = "listInstalledApps" | "listCatalogue" | "uninstallApp";

export const installationCalls: Pick<VenueCalls, InstallationIds> = {
  async listInstalledApps(ctx) {
    const [rows, hours] = [await listInstallations(ctx), await readHourlyUsage(ctx)];
    const data = rows.map((row) => ({
      id: row.id,
      app: cardOf(row.app),
      scopes: row.scopes,
      granted_by: row.granted_by,
      granted_by_email: row.granted_by_email,
      granted_at: row.granted_at.toISOString(),
      last_used_at: row.last_used_at?.toISOString() ?? null,
      hours: sumHourlyUsage(row.token_ids.map(hours)),
      token_ids: row.token_ids,
    }));
    return { data };
  },
  async listCatalogue(ctx) {
    const [apps, installed] = [await readCatalogue(ctx), await listInstallations(ctx)];
    const data = apps.flatMap((app) =>
      app.install_url === null
        ? []
        : [
            {
              ...cardOf(app),
              scopes: app.scopes,
              install_url: app.install_url,
              is_installed: installed.some(({ app_id }) => app_id === app.id),
            },
          ],
    );
    return { data };
  },
  async uninstallApp(ctx, { id }) {
    await uninstallApp(ctx, id);
    return { data: {} };
  },
};
