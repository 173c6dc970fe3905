/** The frame of the pages in front of the door: sign-in, links, forgotten passwords. */
import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Mark } from "./brand.tsx";
import { usePageTitle } from "./page.tsx";
import { ColoursChoice, LanguageChoice } from "./preferences.tsx";

export const Door = ({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) => {
  usePageTitle(title);
  return (
    <div className="door">
      <main className="door-sheet calm">
        <Stack gap="lg">
          <Group gap={10} className="door-brand">
            <Mark size={30} />
            <Text className="wordmark">Comanda</Text>
          </Group>
          <Stack gap={6}>
            <Title order={1}>{title}</Title>
            {lead && <Text c="dimmed">{lead}</Text>}
          </Stack>
          {children}
        </Stack>
      </main>
      <footer className="door-foot">
        <LanguageChoice />
        <ColoursChoice />
      </footer>
    </div>
  );
};
