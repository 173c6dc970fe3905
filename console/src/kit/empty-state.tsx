import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";

type EmptyStateProps = { icon: ReactNode; title: string; isWholePage?: boolean; children: ReactNode };

export const EmptyState = ({ icon, title, isWholePage = false, children }: EmptyStateProps) => (
  <Stack className="sheet empty" align="center" gap="md" ta="center">
    <span className="empty-icon">{icon}</span>
    <Title order={isWholePage ? 1 : 2}>{title}</Title>
    {children}
  </Stack>
);
