import { Button } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import { PersonIcon } from "#kit/icons.tsx";
import { useSession } from "#shell/session.ts";
import { useSignOut } from "#shell/sign-out.tsx";

export const ConsentAccount = ({ request }: { request: string }) => {
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
