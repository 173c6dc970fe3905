/** The frame of the developer pages: the same pages show the venue or its sandbox. */
import "./developer-texts.ts";
import "./place.css";
import { isSandboxSlug, sandboxSlugOf } from "@comanda/contract/sandbox/sandbox-slug.ts";
import { SegmentedControl } from "@mantine/core";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { FlaskIcon } from "#kit/icons.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { membershipIn, useSession } from "#shell/session.ts";
import { useLiveVenue, useVenue } from "#shell/venue.ts";

export const DeveloperPages = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("nav.label")} lead="venues.developerOnly">
      <PlaceSwitch />
      <Outlet />
    </RoleGuard>
  );
};

type ShownPlace = "live" | "sandbox";

const PlaceSwitch = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const choose = useChoosePlace();
  const place: ShownPlace = isSandboxSlug(venue) ? "sandbox" : "live";
  return (
    <div className={`place place-${place}`}>
      <SegmentedControl
        size="sm"
        aria-label={t("place.label")}
        data={(["live", "sandbox"] as const).map((one) => ({ value: one, label: t(`place.${one}`) }))}
        value={place}
        onChange={(value) => choose(value as ShownPlace)}
      />
      {place === "sandbox" && (
        <p className="place-hint">
          <FlaskIcon size={17} />
          {t("place.hint")}
        </p>
      )}
    </div>
  );
};

/** Filters are left behind: their ids belong to the other place. Without a sandbox its page offers to open one. */
const useChoosePlace = (): ((place: ShownPlace) => void) => {
  const navigate = useNavigate();
  const live = useLiveVenue();
  const hasSandbox = membershipIn(useSession().venues, live)?.has_sandbox ?? false;
  const page = useRouterState({ select: ({ location }) => location.pathname.split("/")[3] ?? "tokens" });
  return (place) => {
    const isMissing = place === "sandbox" && !hasSandbox;
    const venue = place === "sandbox" && hasSandbox ? sandboxSlugOf(live) : live;
    void navigate({ to: `/v/$venue/${isMissing ? "sandbox" : page}` as "/v/$venue/tokens", params: { venue } });
  };
};
