import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../session.ts";
import { EmptyState } from "./empty.tsx";
import { ShieldIcon } from "./icons.tsx";

/** Staff may sign in, but these settings are not theirs; the server says so too. */
export const RoleGuard = ({ venue, children }: { venue: string; children: ReactNode }) => {
  const { t } = useTranslation();
  const role = useSession().venues.find(({ slug }) => slug === venue)?.role ?? "staff";
  if (role !== "staff") return children;
  return (
    <EmptyState icon={<ShieldIcon size={28} />} title={t("nav.label")}>
      <Text c="dimmed">{t("venues.developerOnly", { role: t(`roles.${role}`) })}</Text>
    </EmptyState>
  );
};
