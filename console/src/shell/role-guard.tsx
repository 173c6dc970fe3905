import { Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { ShieldIcon } from "#kit/icons.tsx";
import { membershipIn, useSession } from "./session.ts";

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
  const role = membershipIn(useSession().venues, venue)?.role ?? "staff";
  if (role !== "staff") return children;
  return (
    <div className="page">
      <EmptyState icon={<ShieldIcon size={28} />} title={title} isWholePage>
        <Text c="dimmed">{t(lead, { role: t(`roles.${role}`) })}</Text>
      </EmptyState>
    </div>
  );
};
