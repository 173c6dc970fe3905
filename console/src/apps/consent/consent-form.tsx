import type { Consent } from "@comanda/contract/console/apps.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import { Button, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useRef, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { PersonIcon } from "#kit/icons.tsx";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useSession } from "#shell/session.ts";
import { useSignOut } from "#shell/sign-out.tsx";
import { SignedOutSheet } from "#shell/signed-out-layout.tsx";
import { ConsentApp } from "./consent-app.tsx";
import { ConsentExpired } from "./consent-expired.tsx";
import { ConsentLimits } from "./consent-limits.tsx";
import { ConsentScopes } from "./consent-scopes.tsx";
import { ConsentVenues, placesOf } from "./consent-venues.tsx";

/** A layout without the venue's menu, so that no link leads away from the request. */
export const ConsentLayout = ({ children }: { children: ReactNode }) => (
  <SignedOutSheet className="consent-sheet">{children}</SignedOutSheet>
);

const ConsentAccount = ({ request }: { request: string }) => {
  const { t } = useTranslation();
  const { person } = useSession();
  const signOut = useSignOut("signOut", { to: `/consent/${request}` });
  return (
    <div className="consent-account">
      <PersonIcon size={17} />
      <span className="grow break">
        <Trans t={t} i18nKey="consent.signedIn" values={{ name: person.name, email: person.email }} components={{ bdi: <bdi /> }} />
      </span>
      <Button variant="subtle" size="compact-sm" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        {t("consent.otherAccount")}
      </Button>
    </div>
  );
};

/** `venue: null` denies the request. */
type ConsentDecision = { venue: string; scopes: Scope[] } | { venue: null };

/** Sends one decision, however often the button is pressed. An error allows another. */
const useDecision = (request: string) => {
  const isDecided = useRef(false);
  const [made, setMade] = useState<ConsentDecision | null>(null);
  const { write, error } = useWrite<"allowConsent" | "denyConsent">({
    onDone: ({ data: { redirect_to } }) => window.location.assign(redirect_to),
    onRefused: () => {
      isDecided.current = false;
      setMade(null);
    },
  });
  const decide = (wanted: ConsentDecision) => {
    if (isDecided.current) return;
    isDecided.current = true;
    setMade(wanted);
    if (wanted.venue === null) write({ id: "denyConsent", body: { request } });
    else write({ id: "allowConsent", params: { venue: wanted.venue }, body: { request, scopes: wanted.scopes } });
  };
  return { decide, error, made };
};

/** Preselects the venue if the person owns only one. */
const chosenAtFirst = ({ venues }: Consent): string | null => {
  const [only, ...others] = venues.filter(({ is_owner }) => is_owner);
  return only && others.length === 0 ? only.slug : null;
};

type ConsentFormProps = { request: string; consent: Consent; isGone: (error: unknown) => boolean };

export const ConsentForm = ({ request, consent, isGone }: ConsentFormProps) => {
  const { t } = useTranslation();
  const [slug, setSlug] = useState(chosenAtFirst(consent));
  const [ticked, setTicked] = useState<readonly Scope[]>(consent.scopes);
  const { decide, error, made } = useDecision(request);
  const places = placesOf(consent);
  const venue = places.find((one) => one.slug === slug && one.is_owner) ?? null;
  const canAllow = consent.venues.some(({ is_owner }) => is_owner);
  if (isGone(error)) return <ConsentExpired />;
  return (
    <ConsentLayout>
      <ConsentApp app={consent.app} />
      <ConsentAccount request={request} />
      <ConsentVenues venues={places} slug={slug} onChoose={setSlug} />
      <ConsentScopes asked={consent.scopes} venue={venue} ticked={ticked} onTick={setTicked} isReadOnly={!canAllow} />
      <ConsentLimits asked={consent.scopes} granted={venue?.granted ?? []} />
      <Stack gap="sm">
        {error && <ErrorAlert error={error} />}
        {canAllow && (
          <Button
            size="md"
            disabled={venue === null || ticked.length === 0 || made?.venue === null}
            loading={made !== null && made.venue !== null}
            onClick={() => venue && decide({ venue: venue.slug, scopes: consent.scopes.filter((scope) => ticked.includes(scope)) })}
          >
            {t(venue === null ? "consent.allowNowhere" : ticked.length === 0 ? "consent.allowNothing" : "consent.allow")}
          </Button>
        )}
        <Button
          size="md"
          variant="default"
          disabled={made !== null && made.venue !== null}
          loading={made !== null && made.venue === null}
          onClick={() => decide({ venue: null })}
        >
          {t("consent.deny")}
        </Button>
        <Text size="sm" c="dimmed" ta="center" role="status">
          {made ? (
            t("consent.leaving", { host: consent.redirect_host })
          ) : (
            <Trans
              t={t}
              i18nKey={canAllow ? "consent.after" : "consent.afterNo"}
              values={{ host: consent.redirect_host }}
              components={{ bdi: <bdi className="host" /> }}
            />
          )}
        </Text>
        {canAllow && (
          <Text size="sm" c="dimmed" ta="center">
            {t("consent.undo")}
          </Text>
        )}
      </Stack>
    </ConsentLayout>
  );
};
