import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call } from "../api.ts";

/** Signs out and clears the query cache. `back` is the page to return to after the next sign-in. */
export const useSignOut = (operation: "signOut" | "signOutEverywhere" = "signOut", back: { to?: string } = {}) => {
  const router = useRouter();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(operation),
    onSuccess: async () => {
      await router.navigate({ to: "/sign-in", search: back });
      queryClient.clear();
    },
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
