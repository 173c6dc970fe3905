import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { useToast } from "#kit/toast.ts";
import { deleteCopies } from "#offline/local-database.ts";
import { closeOutboxes } from "#offline/outboxes.ts";
import { sessionQuery } from "./session.ts";

/** Signs out and deletes what this browser kept of the person. `back` is the page to return to after the next sign-in. */
export const useSignOut = (operation: "signOut" | "signOutEverywhere" = "signOut", back: { to?: string } = {}) => {
  const router = useRouter();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: () => call(operation),
    onSuccess: async () => {
      const person = queryClient.getQueryData(sessionQuery.queryKey)?.person.id ?? null;
      await Promise.all([deleteCopies(person).catch(() => undefined), router.navigate({ to: "/sign-in", search: back })]);
      queryClient.clear();
      closeOutboxes();
    },
    onError: toast.error,
  });
};

export const SignOutButton = () => {
  const { t } = useTranslation();
  const signOut = useSignOut();
  return (
    <Button variant="subtle" color="gray" loading={signOut.isPending} onClick={() => signOut.mutate()}>
      {t("nav.signOut")}
    </Button>
  );
};
