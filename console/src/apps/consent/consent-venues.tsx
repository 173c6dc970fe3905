import type { Consent } from "@comanda/contract/console/apps.ts";
import { Alert, Radio, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ShieldIcon, VenueIcon } from "../../ui/icons.tsx";
import { useLocalizedName } from "../../ui/localized-name.ts";

type ConsentVenuesProps = { venues: Consent["venues"]; slug: string | null; onChoose: (slug: string) => void };

/** Lists all venues of the person. Those that the person does not own are disabled, with the reason. */
export const ConsentVenues = ({ venues, slug, onChoose }: ConsentVenuesProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const [only, ...others] = venues;
  if (!only)
    return (
      <Alert color="gray" icon={<ShieldIcon />}>
        {t("consent.noVenues")}
      </Alert>
    );
  if (others.length === 0 && only.is_owner)
    return (
      <p className="consent-for">
        <VenueIcon />
        <span className="quiet">{t("consent.venueOne")}</span>
        <bdi>{pick(only.name)}</bdi>
      </p>
    );
  return (
    <Radio.Group label={t("consent.venue")} value={slug} onChange={(value) => onChoose(value)} classNames={{ label: "consent-heading" }}>
      <Stack gap="xs" mt="xs">
        {venues.map((venue) => (
          <Radio
            key={venue.slug}
            value={venue.slug}
            disabled={!venue.is_owner}
            classNames={{ root: "consent-venue", label: "consent-venue-name", description: "consent-reason" }}
            label={<bdi>{pick(venue.name)}</bdi>}
            description={venue.is_owner ? venue.granted && t("consent.installed") : t("consent.notOwner")}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
};
