/** For people who work in several venues, and for those who work in none yet. */
import { Badge, Button, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useSession } from "../session.ts";
import { Door } from "../ui/door.tsx";
import { ForwardIcon, HouseIcon } from "../ui/icons.tsx";
import { usePick } from "../ui/names.ts";
import { SignOutButton } from "./sign-out.tsx";

export const Venues = () => {
  const { t } = useTranslation();
  const pick = usePick();
  const { person, venues } = useSession();
  if (venues.length === 0)
    return (
      <Door title={t("venues.none")} lead={t("venues.noneLead", { email: person.email })}>
        <Button variant="default" renderRoot={(props) => <Link to="/apps" {...props} />}>
          {t("nav.ownApps")}
        </Button>
        <SignOutButton />
      </Door>
    );
  return (
    <Door title={t("venues.title")} lead={t("venues.lead")}>
      <Stack gap="xs">
        {venues.map(({ slug, name, role }) => (
          <UnstyledButton
            key={slug}
            className="venue-row"
            renderRoot={(props) => <Link to="/v/$venue/tokens" params={{ venue: slug }} {...props} />}
          >
            <Group gap="sm" wrap="nowrap" className="grow">
              <HouseIcon />
              <Text fw={550} dir="auto" truncate>
                {pick(name)}
              </Text>
            </Group>
            <Badge color="gray">{t(`roles.${role}`)}</Badge>
            <ForwardIcon size={16} />
          </UnstyledButton>
        ))}
      </Stack>
      <SignOutButton />
    </Door>
  );
};
