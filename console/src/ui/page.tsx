/** The head of a page inside: title, a sentence, and what can be done first. */
import { Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { sessionQuery } from "../session.ts";
import { usePick } from "./names.ts";

/** With the venue's name inside one: tabs of several venues can be told apart. */
export const usePageTitle = (title: string): void => {
  const { venue } = useParams({ strict: false });
  const pick = usePick();
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const membership = session?.venues.find(({ slug }) => slug === venue);
  const whole = [title, ...(membership ? [pick(membership.name)] : []), "Comanda"].join(" · ");
  useEffect(() => {
    document.title = whole;
  }, [whole]);
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
