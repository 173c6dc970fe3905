/** The head of a page inside: title, a sentence, and what can be done first. */
import { Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

export const usePageTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Comanda`;
  }, [title]);
};

type Props = { title: ReactNode; name: string; lead?: ReactNode; action?: ReactNode; isNarrow?: boolean; children: ReactNode };

export const Page = ({ title, name, lead, action, isNarrow = false, children }: Props) => {
  usePageTitle(name);
  return (
    <Stack gap="xl" className={isNarrow ? "page narrow calm" : "page calm"}>
      <Group justify="space-between" align="flex-end" gap="md">
        <Stack gap={6} maw={640}>
          <Title order={1}>{title}</Title>
          {lead && (
            <Text c="dimmed" className="lead">
              {lead}
            </Text>
          )}
        </Stack>
        {action}
      </Group>
      {children}
    </Stack>
  );
};
