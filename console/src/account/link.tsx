/** An invitation or a reset: the secret stands behind the #, where no server's log sees it, and leaves the address bar at once. */
import { Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { type SyntheticEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, isRefused, Refused, type Reply } from "../api.ts";
import { sessionQuery } from "../session.ts";
import { Door } from "../ui/door.tsx";
import { usePick } from "../ui/names.ts";
import { fieldFaults, useRefusalText } from "../ui/refusal.ts";
import { Fault, PageLoading } from "../ui/states.tsx";
import { CodeInput } from "./code-input.tsx";

const takeSecret = (): string => decodeURIComponent(window.location.hash.slice(1));

export const UseLink = () => {
  const { t } = useTranslation();
  const [secret] = useState(takeSecret);
  useEffect(() => window.history.replaceState(window.history.state, "", window.location.pathname), []);
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
  return <ChoosePassword secret={secret} link={link.data} />;
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
  const needsCode = use.error instanceof Refused && use.error.details.second_factor === true;
  return { password, setPassword, code, setCode, use, needsCode };
};

const ChoosePassword = ({ secret, link }: { secret: string; link: LinkData }) => {
  const { t } = useTranslation();
  const pick = usePick();
  const describe = useRefusalText();
  const { password, setPassword, code, setCode, use, needsCode } = useChoice(secret);
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
          {(needsCode || code !== "") && <CodeInput label={t("signIn.code")} value={code} onChange={setCode} />}
          {use.error && !needsCode && (
            <Text role="alert" c="var(--mantine-color-error)" size="sm">
              {isRefused(use.error, "not_found") ? t("link.deadLead") : describe(use.error)}
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
