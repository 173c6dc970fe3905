import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useSession } from "#shell/session.ts";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";

/** The request was answered, has expired or is unknown. */
export const ConsentExpired = () => {
  const { t } = useTranslation();
  const [first, ...others] = useSession().venues.filter(({ role }) => role !== "staff");
  return (
    <SignedOutLayout title={t("consent.goneTitle")} lead={t("consent.goneLead")}>
      {first && (
        <Button
          variant="default"
          renderRoot={(props) =>
            others.length === 0 ? <Link to="/v/$venue/apps" params={{ venue: first.slug }} {...props} /> : <Link to="/" {...props} />
          }
        >
          {t(others.length === 0 ? "consent.goneApps" : "missing.home")}
        </Button>
      )}
    </SignedOutLayout>
  );
};
