/** Opens a venue: by an invitation, by a link that the person asked for, or as a person who is signed in. */
import "./sign-up-texts.ts";
import "./sign-up.css";
import { Anchor, Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLinkSecret } from "#account/link-secret.ts";
import { call, hasErrorCode } from "#kit/api.ts";
import { ErrorAlert, PageLoading } from "#shell/page-states.tsx";
import { SignOutButton } from "#shell/sign-out.tsx";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";
import { AskForMail } from "./ask-for-mail.tsx";
import { keepSecret, keptSecret } from "./open-venue.tsx";
import { VenueSteps } from "./venue-steps.tsx";

/** This is not the session's own query, which leads a signed-out person away. */
const readEmail = async (): Promise<string | null> => {
  try {
    return (await call("readSession")).data.person.email;
  } catch (error) {
    if (hasErrorCode(error, "signed_out")) return null;
    throw error;
  }
};

const readState = async (secret: string) => {
  const [signUp, email, link] = await Promise.all([
    call("readSignUp"),
    readEmail(),
    secret === "" ? null : call("readSignUpLink", { body: { secret } }),
  ]);
  return { isOpen: signUp.data.is_open, email, link: link?.data ?? null };
};

/** The secret outlives a sign-in, which loads another page. */
const useSecretOfTab = (): [string, () => void] => {
  const given = useLinkSecret();
  const [isDropped, setDropped] = useState(false);
  const secret = isDropped ? "" : given || keptSecret();
  useEffect(() => keepSecret(secret), [secret]);
  return [secret, () => setDropped(true)];
};

export const SignUp = () => {
  const { t } = useTranslation();
  const [secret, drop] = useSecretOfTab();
  const state = useQuery({
    queryKey: ["sign-up", secret],
    queryFn: () => readState(secret),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (state.isPending) return <PageLoading />;
  if (hasErrorCode(state.error, "validation_failed")) return <DeadLink onAgain={drop} />;
  if (state.error)
    return (
      <SignedOutLayout title={t("refusals.title")}>
        <ErrorAlert error={state.error} onRetry={() => void state.refetch()} />
      </SignedOutLayout>
    );
  const { isOpen, email, link } = state.data;
  if (link && email === null && link.has_account) return <KnownAddress email={link.email} />;
  if (link && email !== null && email !== link.email) return <OtherAccount email={link.email} own={email} />;
  if (link) return <VenueSteps opener={{ email: link.email, secret, hasSession: email !== null }} />;
  if (!isOpen) return <ByInvitation isSignedIn={email !== null} />;
  if (email !== null) return <VenueSteps opener={{ email, secret: null, hasSession: true }} />;
  return <ByMail />;
};

/** The steps go on while the mail is on its way. */
const ByMail = () => {
  const [email, setEmail] = useState<string | null>(null);
  return email === null ? (
    <AskForMail onSent={setEmail} />
  ) : (
    <VenueSteps opener={null} mailedTo={email} onOtherAddress={() => setEmail(null)} />
  );
};

const ToSignIn = ({ text }: { text: string }) => (
  <Button size="md" renderRoot={(props) => <Link to="/sign-in" search={{ to: "/sign-up" }} {...props} />}>
    {text}
  </Button>
);

const KnownAddress = ({ email }: { email: string }) => {
  const { t } = useTranslation();
  return (
    <SignedOutLayout title={t("signUp.knownTitle")} lead={t("signUp.knownLead", { email })}>
      <ToSignIn text={t("signUp.signIn")} />
    </SignedOutLayout>
  );
};

const OtherAccount = ({ email, own }: { email: string; own: string }) => {
  const { t } = useTranslation();
  return (
    <SignedOutLayout title={t("signUp.otherTitle")} lead={t("signUp.otherLead", { email, own })}>
      <SignOutButton />
    </SignedOutLayout>
  );
};

const ByInvitation = ({ isSignedIn }: { isSignedIn: boolean }) => {
  const { t } = useTranslation();
  return (
    <SignedOutLayout title={t("signUp.closedTitle")} lead={t("signUp.closedLead")}>
      {!isSignedIn && (
        <Anchor size="sm" ta="center" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {t("signUp.toSignIn")}
        </Anchor>
      )}
    </SignedOutLayout>
  );
};

const DeadLink = ({ onAgain }: { onAgain: () => void }) => {
  const { t } = useTranslation();
  return (
    <SignedOutLayout title={t("signUp.deadTitle")} lead={t("signUp.deadLead")}>
      <Stack>
        <Button size="md" onClick={onAgain}>
          {t("signUp.askAgain")}
        </Button>
      </Stack>
    </SignedOutLayout>
  );
};
