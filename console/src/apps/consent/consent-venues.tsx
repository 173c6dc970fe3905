import type { Consent } from "@comanda/contract/console/apps.ts";
import { Alert, Badge, Radio, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ShieldIcon, VenueIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";

/** Where the app may be allowed: a venue, or the sandbox of one. */
export type ConsentPlace = Omit<Consent["venues"][number], "sandbox"> & { isSandbox: boolean };

/** Each sandbox follows its venue. It has every feature; only its owner can choose it. */
export const placesOf = ({ venues }: Consent): ConsentPlace[] =>
  venues.flatMap(({ sandbox, ...venue }) => [
    { ...venue, isSandbox: false },
    ...(sandbox && venue.is_owner ? [{ ...venue, ...sandbox, plan_lacks: [], isSandbox: true }] : []),
  ]);

type ConsentVenuesProps = { venues: readonly ConsentPlace[]; slug: string | null; onChoose: (slug: string) => void };

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
  const reasonFor = ({ is_owner, isSandbox, granted }: ConsentPlace): string | null => {
    if (!is_owner) return t("consent.notOwner");
    if (granted) return t("consent.installed");
    return isSandbox ? t("consent.sandboxLead") : null;
  };
  return (
    <Radio.Group label={t("consent.venue")} value={slug} onChange={(value) => onChoose(value)} classNames={{ label: "consent-heading" }}>
      <Stack gap="xs" mt="xs">
        {venues.map((venue) => (
          <Radio
            key={venue.slug}
            value={venue.slug}
            disabled={!venue.is_owner}
            classNames={{ root: "consent-venue", label: "consent-venue-name", description: "consent-reason" }}
            label={
              <>
                <bdi>{pick(venue.name)}</bdi>{" "}
                {venue.isSandbox && (
                  <Badge color="orange" size="sm">
                    {t("consent.sandbox")}
                  </Badge>
                )}
              </>
            }
            description={reasonFor(venue)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
};
