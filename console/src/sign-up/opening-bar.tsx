/** On every page of a venue that is not live: says so, and leads its owner on. */
import "./sign-up-texts.ts";
import "./sign-up.css";
import { Link, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useSession } from "#shell/session.ts";

export const OpeningBar = ({ venue }: { venue: string }) => {
  const { t } = useTranslation();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isOwner = useSession().venues.some(({ slug, role }) => slug === venue && role === "owner");
  if (path.endsWith("/opening")) return null;
  return (
    <div className="opening-bar" role="status">
      <span>{t("signUp.opening.bar")}</span>
      {isOwner && (
        <Link to="/v/$venue/opening" params={{ venue }} className="opening-bar-link">
          {t("signUp.opening.barLink")}
        </Link>
      )}
    </div>
  );
};
