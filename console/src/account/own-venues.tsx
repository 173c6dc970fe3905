/** The venues that the person is a member of, and leaving one. */
import type { Membership } from "@comanda/contract/console/session.ts";
import { Badge, Button, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { VenueIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { sessionQuery, useSession } from "#shell/session.ts";
import { AccountCard } from "./account-card.tsx";
import "./memberships-texts.ts";

export const OwnVenues = () => {
  const { t } = useTranslation();
  const { venues } = useSession();
  const [leaving, setLeaving] = useState<Membership | null>(null);
  if (venues.length === 0) return null;
  return (
    <AccountCard id="venues" title={t("ownVenues.title")} lead={t("ownVenues.lead")}>
      <ul className="memberships">
        {venues.map((venue) => (
          <OwnVenue key={venue.slug} venue={venue} onLeave={() => setLeaving(venue)} />
        ))}
      </ul>
      {leaving && <LeaveVenue venue={leaving} onClose={() => setLeaving(null)} />}
    </AccountCard>
  );
};

const OwnVenue = ({ venue: { slug, name, role }, onLeave }: { venue: Membership; onLeave: () => void }) => {
  const { t } = useTranslation();
  const shown = useLocalizedName()(name);
  return (
    <li className="membership">
      <VenueIcon />
      <Group gap="xs" className="grow">
        <Text fw={550} className="break">
          <bdi>{shown}</bdi>
        </Text>
        <Badge>{t(`roles.${role}`)}</Badge>
      </Group>
      <div className="membership-actions">
        <Button
          variant="default"
          aria-label={t("ownVenues.openOf", { venue: shown })}
          renderRoot={(props) => <Link to="/v/$venue/orders" params={{ venue: slug }} {...props} />}
        >
          {t("ownVenues.open")}
        </Button>
        <Button variant="default" className="bad" aria-label={t("ownVenues.leaveOf", { venue: shown })} onClick={onLeave}>
          {t("ownVenues.leave")}
        </Button>
      </div>
    </li>
  );
};

const LeaveVenue = ({ venue: { slug, name }, onClose }: { venue: Membership; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useLocalizedName()(name);
  const toast = useToast();
  const left = (): void => {
    onClose();
    toast.done(t("ownVenues.left", { venue }));
  };
  const { write, isPending, error } = useWrite<"leaveVenue">({
    readAgain: [sessionQuery.queryKey],
    onDone: left,
    onRefused: (refused) => {
      // An owner was faster.
      if (hasErrorCode(refused, "not_found")) left();
      else if (fieldErrors(refused).role === undefined) toast.error(refused);
    },
  });
  const isLastOwner = fieldErrors(error).role !== undefined;
  return (
    <ConfirmDialog
      isOpen
      title={t("ownVenues.leaveTitle", { venue })}
      lead={t("ownVenues.leaveLead")}
      action={t("ownVenues.leave")}
      isPending={isPending}
      onConfirm={() => write({ id: "leaveVenue", params: { venue: slug }, body: {} })}
      onClose={onClose}
    >
      {isLastOwner && (
        <Text role="alert" c="var(--mantine-color-error)">
          {t("ownVenues.lastOwner")}
        </Text>
      )}
    </ConfirmDialog>
  );
};
