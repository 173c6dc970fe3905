import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

type CardProps = { id?: string; title: string; lead?: string; mark?: ReactNode; children: ReactNode };

export const AccountCard = ({ id, title, lead, mark, children }: CardProps) => (
  <section className="sheet card" id={id}>
    <Stack gap="md">
      <div>
        <Group gap="sm">
          <h2 className="item-title">{title}</h2>
          {mark}
        </Group>
        {lead && (
          <Text size="sm" c="dimmed" mt={2}>
            {lead}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  </section>
);
