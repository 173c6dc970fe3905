/** The venue choice of a person with several venues or none. */
import { Badge, Button, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ForwardIcon, VenueIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useSession } from "#shell/session.ts";
import { SignOutButton } from "#shell/sign-out.tsx";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";
import { Invitations } from "./invitations.tsx";

export const Venues = () => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { person, venues, invitations } = useSession();
  if (venues.length === 0)
    return (
      <SignedOutLayout
        title={t(invitations.length > 0 ? "venues.invited" : "venues.none")}
        {...(invitations.length > 0 ? {} : { lead: t("venues.noneLead", { email: person.email }) })}
      >
        <Invitations />
        <Button variant="default" renderRoot={(props) => <Link to="/apps" {...props} />}>
          {t("nav.ownApps")}
        </Button>
        <SignOutButton />
      </SignedOutLayout>
    );
  return (
    <SignedOutLayout title={t("venues.title")} lead={t("venues.lead")}>
      <Stack gap="xs">
        {venues.map(({ slug, name, role, default_language }) => (
          <UnstyledButton
            key={slug}
            className="venue-row"
            renderRoot={(props) => <Link to="/v/$venue/orders" params={{ venue: slug }} {...props} />}
          >
            <Group gap="sm" wrap="nowrap" className="grow">
              <VenueIcon />
              <Text fw={550} dir="auto" truncate>
                {pick(name, default_language)}
              </Text>
            </Group>
            <Badge color="gray">{t(`roles.${role}`)}</Badge>
            <ForwardIcon size={16} />
          </UnstyledButton>
        ))}
      </Stack>
      <Invitations />
      <SignOutButton />
    </SignedOutLayout>
  );
};
