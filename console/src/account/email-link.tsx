/** Opens the link of an invitation, a password reset or a sign-in. The secret is in the URL fragment, which no server logs, and is removed from the address bar. */
import { Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type CallReply, call, hasErrorCode } from "#kit/api.ts";
import { fieldErrors, useErrorText } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { ErrorAlert, PageLoading } from "#shell/page-states.tsx";
import { sessionQuery } from "#shell/session.ts";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";
import { CodeField, needsCode, useCodeError } from "./code-field.tsx";
import { useLinkSecret } from "./link-secret.ts";
import { SignInWithLink } from "./sign-in-with-link.tsx";

export const EmailLink = () => {
  const { t } = useTranslation();
  const secret = useLinkSecret();
  const link = useQuery({
    queryKey: ["link", secret],
    queryFn: async () => (await call("readLink", { body: { secret } })).data,
    enabled: secret !== "",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (secret === "") return <UnusableLink title={t("link.missingTitle")} lead={t("link.missingLead")} />;
  if (link.isPending) return <PageLoading />;
  if (hasErrorCode(link.error, "not_found") || hasErrorCode(link.error, "validation_failed"))
    return <UnusableLink title={t("link.deadTitle")} lead={t("link.deadLead")} />;
  if (link.error)
    return (
      <SignedOutLayout title={t("refusals.title")}>
        <ErrorAlert error={link.error} onRetry={() => void link.refetch()} />
      </SignedOutLayout>
    );
  if (link.data.kind === "sign_in") return <SignInWithLink key={secret} secret={secret} email={link.data.email} />;
  if (link.data.kind === "invitation" && link.data.has_password) return <InvitedUser link={link.data} />;
  return <ChoosePassword key={secret} secret={secret} link={link.data} />;
};

const UnusableLink = ({ title, lead }: { title: string; lead: string }) => {
  const { t } = useTranslation();
  return (
    <SignedOutLayout title={title} lead={lead}>
      <Stack>
        <Button renderRoot={(props) => <Link to="/forgot" {...props} />}>{t("forgot.submit")}</Button>
        <Button variant="subtle" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {t("forgot.toSignIn")}
        </Button>
      </Stack>
    </SignedOutLayout>
  );
};

type EmailLinkData = CallReply<"readLink">["data"];

/** Opens the venue of a member, or the invitations, when this browser is signed in as the person of the link. It asks to sign in otherwise. */
const useOpenLink = ({ email, slug, is_member }: EmailLinkData) => {
  const router = useRouter();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<void> => {
      const session = await call("readSession").catch(() => null);
      const to = is_member && slug !== null ? `/v/${slug}/orders` : "/account";
      if (session?.data.person.email !== email) return router.navigate({ to: "/sign-in", search: { to } });
      queryClient.setQueryData(sessionQuery.queryKey, session.data);
      return router.navigate({ to });
    },
  });
};

/** A person with a password signs in, and answers on the account page. */
const InvitedUser = ({ link }: { link: EmailLinkData }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const open = useOpenLink(link);
  const title = link.venue
    ? t(link.is_member ? "link.alreadyTitle" : "link.invitationTitle", { venue: pick(link.venue) })
    : t("link.alreadyTitlePlain");
  return (
    <SignedOutLayout title={title} lead={t(link.is_member ? "link.alreadyLead" : "link.knownLead", { email: link.email })}>
      <Stack>
        <Button size="md" loading={open.isPending} onClick={() => open.mutate()}>
          {t("signIn.submit")}
        </Button>
        <Button variant="subtle" renderRoot={(props) => <Link to="/forgot" {...props} />}>
          {t("signIn.forgot")}
        </Button>
      </Stack>
    </SignedOutLayout>
  );
};

const usePasswordChoice = (secret: string) => {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const use = useMutation({
    mutationFn: async () => (await call("useLink", { body: { secret, password, code: code === "" ? null : code } })).data,
    onSuccess: async (session) => {
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await router.navigate({ to: "/", replace: true });
    },
  });
  return { password, setPassword, code, setCode, use };
};

const ChoosePassword = ({ secret, link }: { secret: string; link: EmailLinkData }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const describe = useErrorText();
  const codeError = useCodeError();
  const { password, setPassword, code, setCode, use } = usePasswordChoice(secret);
  const fault = use.error && (needsCode(use.error) ? codeError(use.error, code) : describe(use.error));
  const isInvitation = link.kind === "invitation";
  const inviting = link.venue ? t("link.invitationTitle", { venue: pick(link.venue) }) : t("link.invitationTitlePlain");
  const submit = () => {
    use.mutate();
  };
  return (
    <SignedOutLayout
      title={isInvitation ? inviting : t("link.resetTitle")}
      lead={t(isInvitation ? "link.invitationLead" : "link.resetLead", { email: link.email })}
    >
      <Form onSubmit={submit}>
        <Stack gap="md">
          <input type="hidden" name="username" autoComplete="username" value={link.email} readOnly />
          <PasswordInput
            visibilityToggleButtonProps={{ "aria-label": t("common.showPassword") }}
            label={t("link.password")}
            description={t("link.hint")}
            name="new-password"
            autoComplete="new-password"
            minLength={10}
            maxLength={200}
            required
            withAsterisk={false}
            error={fieldErrors(use.error).password}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {(needsCode(use.error) || code !== "") && <CodeField value={code} onChange={setCode} />}
          {fault && (
            <Text role="alert" c="var(--mantine-color-error)" size="sm">
              {fault}
            </Text>
          )}
          <Button type="submit" size="md" loading={use.isPending}>
            {t(isInvitation ? "link.submitInvitation" : "link.submitReset")}
          </Button>
        </Stack>
      </Form>
    </SignedOutLayout>
  );
};
