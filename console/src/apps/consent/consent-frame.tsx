import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Mark } from "../../ui/brand.tsx";
import { ColoursChoice, LanguageChoice } from "../../ui/preferences.tsx";

/** No venue around it: nothing here leads away from the question by accident. */
export const ConsentFrame = ({ children }: { children: ReactNode }) => (
  <div className="door">
    <main className="door-sheet consent-sheet calm">
      <Stack gap="lg">
        <Group gap={10}>
          <Mark size={26} />
          <Text className="wordmark">Comanda</Text>
        </Group>
        {children}
      </Stack>
    </main>
    <footer className="door-foot">
      <LanguageChoice />
      <ColoursChoice />
    </footer>
  </div>
);
