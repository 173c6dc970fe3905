import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** Nothing is here yet: what would be, and how it comes to be. */
export const EmptyState = ({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) => (
  <Stack className="sheet empty" align="center" gap="md" ta="center">
    <span className="empty-icon">{icon}</span>
    <Title order={2}>{title}</Title>
    {children}
  </Stack>
);
