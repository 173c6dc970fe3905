/** What a page shows when it cannot show itself: still loading, refused, missing, broken. */
import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { type ErrorComponentProps, Link, useParams, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isRefused, Refused } from "../api.ts";
import { WarningIcon } from "./icons.tsx";
import { useRecovery } from "./offline.tsx";
import { useRefusalText } from "./refusal.ts";

export const PageLoading = () => {
  const { t } = useTranslation();
  return (
    <Center mih="60vh" role="status" aria-label={t("common.loading")}>
      <Loader type="dots" />
    </Center>
  );
};

type AloneProps = { title: string; lead: string; isInside?: boolean; children: ReactNode };

const Alone = ({ title, lead, isInside = false, children }: AloneProps) => (
  <Center mih="70vh" p="md" component={isInside ? "div" : "main"}>
    <Stack align="center" gap="sm" maw={420} ta="center">
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{lead}</Text>
      <Group mt="sm">{children}</Group>
    </Stack>
  </Center>
);

export const PageMissing = () => {
  const { t } = useTranslation();
  return (
    <Alone title={t("missing.title")} lead={t("missing.lead")}>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>{t("missing.home")}</Button>
    </Alone>
  );
};

/** Within the venue's frame: the menu leads on. */
export const MissingInVenue = () => {
  const { t } = useTranslation();
  const { venue = "" } = useParams({ strict: false });
  return (
    <Alone title={t("missing.title")} lead={t("missing.lead")} isInside>
      <Button renderRoot={(props) => <Link to="/v/$venue/tokens" params={{ venue }} {...props} />}>{t("missing.home")}</Button>
    </Alone>
  );
};

export const PageCrash = ({ error, reset }: ErrorComponentProps) => {
  const { t } = useTranslation();
  const router = useRouter();
  const describe = useRefusalText();
  const again = () => {
    reset();
    void router.invalidate();
  };
  const isAway = isRefused(error, "offline") || !navigator.onLine;
  const recover = useRecovery(isAway);
  if (isAway)
    return (
      <Alone title={t(navigator.onLine ? "offline.unreachable" : "offline.title")} lead={t("offline.lead")}>
        <Button onClick={recover}>{t("common.retry")}</Button>
      </Alone>
    );
  if (error instanceof Refused)
    return (
      <Alone title={t("refusals.title")} lead={describe(error)}>
        <Button onClick={again}>{t("common.retry")}</Button>
      </Alone>
    );
  return (
    <Alone title={t("crash.title")} lead={t("crash.lead")}>
      <Button onClick={() => window.location.reload()}>{t("crash.reload")}</Button>
    </Alone>
  );
};

/** In place of a part of a page that could not be loaded. */
export const Fault = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const { t } = useTranslation();
  const describe = useRefusalText();
  return (
    <Alert color="red" variant="light" icon={<WarningIcon />} title={t("refusals.title")} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="inherit">
          {describe(error)}
        </Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t("common.retry")}
          </Button>
        )}
      </Stack>
    </Alert>
  );
};
