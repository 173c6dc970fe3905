/** A page with its title, introduction and main action. */
import { Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useLocalizedName } from "#kit/localized-name.ts";
import { membershipIn, sessionQuery } from "./session.ts";

/** Includes the venue's name, so that tabs of several venues have different titles. */
export const usePageTitle = (title: string): void => {
  const { venue } = useParams({ strict: false });
  const pick = useLocalizedName();
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const membership = membershipIn(session?.venues ?? [], venue);
  const whole = [title, ...(membership ? [pick(membership.name, membership.default_language)] : []), "Comanda"].join(" · ");
  useEffect(() => {
    document.title = whole;
  }, [whole]);
};

type PageProps = {
  title: ReactNode;
  name: string;
  lead?: ReactNode;
  /** A link to the page that this one was opened from. */
  back?: ReactNode;
  action?: ReactNode;
  isNarrow?: boolean;
  children: ReactNode;
};

export const Page = ({ title, name, lead, back, action, isNarrow = false, children }: PageProps) => {
  usePageTitle(name);
  return (
    <Stack gap="xl" className={isNarrow ? "page narrow calm" : "page calm"}>
      <Group justify="space-between" align="flex-end" gap="md">
        <Stack gap={6} maw={640}>
          {back && <div className="page-back">{back}</div>}
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
