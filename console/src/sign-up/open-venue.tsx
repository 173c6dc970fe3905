/** Sends the steps' result. Account, venue and session are one call. */
import { Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { fieldErrors, useErrorText } from "#kit/error-text.ts";
import { currentLanguage } from "#kit/language.ts";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { useWrite } from "#kit/write.ts";
import { sessionQuery } from "#shell/session.ts";
import type { Opener } from "./sign-up-draft.ts";
import { dropDraft, firstVenueOf, type SignUpDraft } from "./sign-up-draft.ts";

/** The secret of the sign-up link, for as long as the tab is open. */
const STORED = "comanda.sign-up-link";

export const keptSecret = (): string => {
  try {
    return sessionStorage.getItem(STORED) ?? "";
  } catch {
    return "";
  }
};

/** An empty one ends it. */
export const keepSecret = (secret: string): void => {
  try {
    if (secret === "") sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, secret);
  } catch {
    // Storage is blocked: the link is opened again after a sign-in.
  }
};

export type NewAccount = { name: string; password: string };

type FirstVenueInput = { secret: string; draft: SignUpDraft; account: NewAccount };

export const useOpenVenue = (opener: Opener | null) => {
  const { t } = useTranslation();
  const router = useRouter();
  const queryClient = useQueryClient();
  const venueOf = (draft: SignUpDraft) => firstVenueOf(draft, t("signUp.ownCategory"));
  const [isOpened, setOpened] = useState(false);
  /** The button stays as it was pressed until the venue's page is there. */
  const opened = async (slug: string, session: Promise<unknown>): Promise<void> => {
    setOpened(true);
    dropDraft();
    keepSecret("");
    // The page reads it itself when this fails.
    await session.catch(() => undefined);
    await router.navigate({ to: "/v/$venue/opening", params: { venue: slug }, replace: true });
  };
  const first = useMutation({
    mutationFn: async ({ secret, draft, account: { name, password } }: FirstVenueInput) => {
      const body = { secret, person_name: name.trim(), password, locale: currentLanguage(), venue: venueOf(draft) };
      return (await call("openVenue", { body })).data;
    },
    onSuccess: ({ slug, session }) => opened(slug, Promise.resolve(queryClient.setQueryData(sessionQuery.queryKey, session))),
  });
  const another = useWrite<"openAnotherVenue">({
    onDone: ({ data: { slug } }) => void opened(slug, queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })),
    // The form says why.
    onRefused: () => undefined,
  });
  const open = (draft: SignUpDraft, account: NewAccount | null): void => {
    const secret = opener?.secret ?? null;
    if (account === null || secret === null) another.write({ id: "openAnotherVenue", body: { secret, venue: venueOf(draft) } });
    else first.mutate({ secret, draft, account });
  };
  return { open, isPending: first.isPending || another.isPending || isOpened, error: first.error ?? another.error };
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
