import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { AppsIcon, PersonIcon, ShieldIcon, SignOutIcon, VenueIcon } from "#kit/icons.tsx";
import { useMoveList } from "#offline/outboxes.ts";
import { ColoursItems, LanguageItems } from "./preferences.tsx";
import { useSession } from "./session.ts";
import { useSignOut } from "./sign-out.tsx";

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("")
    .toUpperCase();

export const AccountMenu = () => {
  const { t } = useTranslation();
  const { person, invitations } = useSession();
  return (
    <Menu position="bottom-end" width={264} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className="avatar-button">
          <VisuallyHidden>{t("nav.accountMenu", { name: person.name })}</VisuallyHidden>
          <Avatar aria-hidden size={34} color="wine" variant="filled" radius="xl">
            {initialsOf(person.name)}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="menu-person">
          <Text fw={600} size="sm" c="var(--mantine-color-text)" component="span" display="block" dir="auto" truncate>
            {person.name}
          </Text>
          <Text size="xs" c="dimmed" component="span" display="block" truncate>
            <bdi>{person.email}</bdi>
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <AccountItems hasSecondFactor={person.has_second_factor} invitations={invitations.length} />
      </Menu.Dropdown>
    </Menu>
  );
};

const AccountItems = ({ hasSecondFactor, invitations }: { hasSecondFactor: boolean; invitations: number }) => {
  const { t } = useTranslation();
  const signOut = useSignOut();
  const waiting = useMoveList(useSession().person.id).moves.length;
  return (
    <>
      <Menu.Item leftSection={<PersonIcon size={16} />} renderRoot={(props) => <Link to="/account" {...props} />}>
        {t("nav.account")}
      </Menu.Item>
      {invitations > 0 && (
        <Menu.Item leftSection={<VenueIcon size={16} />} renderRoot={(props) => <Link to="/account" hash="invitations" {...props} />}>
          {t("nav.invitations", { count: invitations })}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<ShieldIcon size={16} />}
        renderRoot={(props) => <Link to="/account" hash="factor" {...props} />}
        rightSection={
          <Text size="xs" c="dimmed">
            {t(hasSecondFactor ? "factor.on" : "factor.off")}
          </Text>
        }
      >
        {t("factor.title")}
      </Menu.Item>
      <Menu.Item leftSection={<AppsIcon size={16} />} renderRoot={(props) => <Link to="/apps" {...props} />}>
        {t("nav.ownApps")}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>{t("common.language")}</Menu.Label>
      <LanguageItems />
      <Menu.Label>{t("colours.label")}</Menu.Label>
      <ColoursItems />
      <Menu.Divider />
      {waiting > 0 && <Menu.Label className="sign-out-note">{t("waiting.signOut", { count: waiting })}</Menu.Label>}
      <Menu.Item leftSection={<SignOutIcon size={16} />} onClick={() => signOut.mutate()}>
        {t("nav.signOut")}
      </Menu.Item>
    </>
  );
};
