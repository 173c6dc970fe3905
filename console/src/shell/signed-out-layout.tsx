/** The layout of pages without a venue menu: sign-in, e-mail links, forgotten passwords, consent. */
import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { BrandMark } from "./brand.tsx";
import { usePageTitle } from "./page.tsx";
import { ColoursChoice, LanguageChoice } from "./preferences.tsx";

/** `className` is added to the sheet. */
export const SignedOutSheet = ({ className = "", children }: { className?: string; children: ReactNode }) => (
  <div className="signed-out">
    <main className={`signed-out-sheet calm ${className}`}>
      <Stack gap="lg">
        <Group gap={10}>
          <BrandMark size={30} />
          <Text className="wordmark">Comanda</Text>
        </Group>
        {children}
      </Stack>
    </main>
    <footer className="signed-out-foot">
      <LanguageChoice />
      <ColoursChoice />
    </footer>
  </div>
);

export const SignedOutLayout = ({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) => {
  usePageTitle(title);
  return (
    <SignedOutSheet>
      <Stack gap={6}>
        <Title order={1}>{title}</Title>
        {lead && <Text c="dimmed">{lead}</Text>}
      </Stack>
      {children}
    </SignedOutSheet>
  );
};
