/** Sends the steps' result. Account, venue and session are one call. */
import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call } from "../api.ts";
import { sessionQuery } from "../session.ts";
import { currentLanguage } from "../texts/language.ts";
import { useErrorTranslation } from "../texts/server-texts.ts";
import { fieldErrors, useErrorText } from "../ui/error-text.ts";
import { keepSecret } from "./kept-secret.ts";
import type { Opener } from "./opener.ts";
import { dropDraft, firstVenueOf, type SignUpDraft } from "./sign-up-draft.ts";

export type NewAccount = { name: string; password: string };

type OpenVenueInput = { draft: SignUpDraft; account: NewAccount | null };

export const useOpenVenue = (opener: Opener | null) => {
  const { t } = useTranslation();
  const router = useRouter();
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: async ({ draft, account }: OpenVenueInput): Promise<string> => {
      const venue = firstVenueOf(draft, t("signUp.ownCategory"));
      const secret = opener?.secret ?? null;
      if (account === null || secret === null) return (await call("openAnotherVenue", { body: { secret, venue } })).data.slug;
      const body = { secret, person_name: account.name.trim(), password: account.password, locale: currentLanguage(), venue };
      const { slug, session } = (await call("openVenue", { body })).data;
      queryClient.setQueryData(sessionQuery.queryKey, session);
      return slug;
    },
    onSuccess: async (slug, { account }) => {
      dropDraft();
      keepSecret("");
      if (account === null) await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await router.navigate({ to: "/v/$venue/opening", params: { venue: slug }, replace: true });
    },
  });
  return {
    open: (draft: SignUpDraft, account: NewAccount | null) => send.mutate({ draft, account }),
    isPending: send.isPending,
    error: send.error,
  };
};

export type OpeningVenue = ReturnType<typeof useOpenVenue>;

/** The first field that is refused, in the server's words; the fields of a step have their own checks. */
export const OpenVenueError = ({ error }: { error: Error | null }) => {
  const describe = useErrorText();
  const translate = useErrorTranslation();
  if (!error) return null;
  const [field] = Object.values(fieldErrors(error));
  return (
    <Text role="alert" c="var(--mantine-color-error)" size="sm">
      {field === undefined ? describe(error) : translate(field)}
    </Text>
  );
};
