/** An invitation, a reset or a sign-in: the secret stands behind the #, where no server's log sees it, and leaves the address bar at once. */
import { Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { type SyntheticEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, isRefused, type Reply } from "../api.ts";
import { sessionQuery } from "../session.ts";
import { Door } from "../ui/door.tsx";
import { usePick } from "../ui/names.ts";
import { fieldFaults, useRefusalText } from "../ui/refusal.ts";
import { Fault, PageLoading } from "../ui/states.tsx";
import { CodeField, needsCode, useCodeFault } from "./code-field.tsx";
import { SignInByLink } from "./sign-in-by-link.tsx";

const readSecret = (): string => {
  const text = window.location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded as a link of ours is: the server says that it does not know it.
    return text;
  }
};

const clearAddress = (): void => window.history.replaceState(window.history.state, "", window.location.pathname);

/** Also of a link that is pasted into the tab while it shows this page: then only the part behind the # changes, and nothing is loaded. */
const useSecret = (): string => {
  const [secret, setSecret] = useState(readSecret);
  useEffect(() => {
    const takeNext = (): void => {
      const next = readSecret();
      if (next === "") return;
      setSecret(next);
      clearAddress();
    };
    clearAddress();
    window.addEventListener("hashchange", takeNext);
    return () => window.removeEventListener("hashchange", takeNext);
  }, []);
  return secret;
};

export const UseLink = () => {
  const { t } = useTranslation();
  const secret = useSecret();
  const link = useQuery({
    queryKey: ["link", secret],
    queryFn: async () => (await call("readLink", { body: { secret } })).data,
    enabled: secret !== "",
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (secret === "") return <DeadEnd title={t("link.missingTitle")} lead={t("link.missingLead")} />;
  if (link.isPending) return <PageLoading />;
  if (isRefused(link.error, "not_found") || isRefused(link.error, "validation_failed"))
    return <DeadEnd title={t("link.deadTitle")} lead={t("link.deadLead")} />;
  if (link.error)
    return (
      <Door title={t("refusals.title")}>
        <Fault error={link.error} onRetry={() => void link.refetch()} />
      </Door>
    );
  if (link.data.kind === "sign_in") return <SignInByLink key={secret} secret={secret} email={link.data.email} />;
  if (link.data.kind === "invitation" && link.data.has_password) return <AlreadyIn link={link.data} />;
  return <ChoosePassword key={secret} secret={secret} link={link.data} />;
};

const DeadEnd = ({ title, lead }: { title: string; lead: string }) => {
  const { t } = useTranslation();
  return (
    <Door title={title} lead={lead}>
      <Stack>
        <Button renderRoot={(props) => <Link to="/forgot" {...props} />}>{t("forgot.submit")}</Button>
        <Button variant="subtle" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {t("forgot.toSignIn")}
        </Button>
      </Stack>
    </Door>
  );
};

type LinkData = Reply<"readLink">["data"];

/** Whoever has a password needs no invitation: the venue is among theirs already. */
const AlreadyIn = ({ link }: { link: LinkData }) => {
  const { t } = useTranslation();
  const pick = usePick();
  const title = link.venue ? t("link.alreadyTitle", { venue: pick(link.venue) }) : t("link.alreadyTitlePlain");
  return (
    <Door title={title} lead={t("link.alreadyLead", { email: link.email })}>
      <Stack>
        <Button size="md" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {t("signIn.submit")}
        </Button>
        <Button variant="subtle" renderRoot={(props) => <Link to="/forgot" {...props} />}>
          {t("signIn.forgot")}
        </Button>
      </Stack>
    </Door>
  );
};

const useChoice = (secret: string) => {
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

const ChoosePassword = ({ secret, link }: { secret: string; link: LinkData }) => {
  const { t } = useTranslation();
  const pick = usePick();
  const describe = useRefusalText();
  const codeFault = useCodeFault();
  const { password, setPassword, code, setCode, use } = useChoice(secret);
  const fault = use.error && (needsCode(use.error) ? codeFault(use.error, code) : describe(use.error));
  const isInvitation = link.kind === "invitation";
  const inviting = link.venue ? t("link.invitationTitle", { venue: pick(link.venue) }) : t("link.invitationTitlePlain");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    use.mutate();
  };
  return (
    <Door
      title={isInvitation ? inviting : t("link.resetTitle")}
      lead={t(isInvitation ? "link.invitationLead" : "link.resetLead", { email: link.email })}
    >
      <form onSubmit={submit}>
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
            error={fieldFaults(use.error).password}
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
      </form>
    </Door>
  );
};
