import type { Consent } from "@comanda/contract/console-apps.ts";
import { Alert, Radio, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { HouseIcon, ShieldIcon } from "../../ui/icons.tsx";
import { usePick } from "../../ui/names.ts";

type Props = { venues: Consent["venues"]; slug: string | null; onChoose: (slug: string) => void };

/** Every venue of the person is shown: one that is missing would only be looked for. */
export const ConsentVenues = ({ venues, slug, onChoose }: Props) => {
  const { t } = useTranslation();
  const pick = usePick();
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
        <HouseIcon />
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
