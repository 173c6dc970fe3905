import { Text } from "@mantine/core";
import { Outlet, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../session.ts";
import { EmptyState } from "./empty-state.tsx";
import { ShieldIcon } from "./icons.tsx";

type RoleGuardProps = {
  title: string;
  lead:
    | "venues.developerOnly"
    | "venues.menuOnly"
    | "venues.settingsOnly"
    | "venues.takingsOnly"
    | "reports.only"
    | "reviews.onlyManagers"
    | "shifts.onlyManagers";
  children: ReactNode;
};

/** Hides pages of owners and managers from staff. The server enforces it too. */
export const RoleGuard = ({ title, lead, children }: RoleGuardProps) => {
  const { t } = useTranslation();
  const { venue } = useParams({ from: "/inside/v/$venue" });
  const role = useSession().venues.find(({ slug }) => slug === venue)?.role ?? "staff";
  if (role !== "staff") return children;
  return (
    <EmptyState icon={<ShieldIcon size={28} />} title={title} isWholePage>
      <Text c="dimmed">{t(lead, { role: t(`roles.${role}`) })}</Text>
    </EmptyState>
  );
};

export const DeveloperPages = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("nav.label")} lead="venues.developerOnly">
      <Outlet />
    </RoleGuard>
  );
};
