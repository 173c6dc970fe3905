/** Loading, error and not-found states of pages. */
import { Alert, Button, Center, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { type ErrorComponentProps, Link, useParams, useRouter } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext } from "react";
import { useTranslation } from "react-i18next";
import { CallError, hasErrorCode } from "#kit/api.ts";
import { useErrorText } from "#kit/error-text.ts";
import { WarningIcon } from "#kit/icons.tsx";
import { useReloadWhenOnline } from "./offline.tsx";

export const PageLoading = () => {
  const { t } = useTranslation();
  return (
    <Center mih="60vh" role="status" aria-label={t("common.loading")}>
      <Loader type="dots" />
    </Center>
  );
};

/** True below the frame of a venue, which has the page's only main landmark. */
export const InsideMain = createContext(false);

type CenteredMessageProps = { title: string; lead: string; children: ReactNode };

const CenteredMessage = ({ title, lead, children }: CenteredMessageProps) => (
  <Center mih="70vh" p="md" component={useContext(InsideMain) ? "div" : "main"}>
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
    <CenteredMessage title={t("missing.title")} lead={t("missing.lead")}>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>{t("missing.home")}</Button>
    </CenteredMessage>
  );
};

/** The menu stays visible when a page inside a venue is not found. */
export const MissingInVenue = () => {
  const { t } = useTranslation();
  const { venue = "" } = useParams({ strict: false });
  return (
    <CenteredMessage title={t("missing.title")} lead={t("missing.lead")}>
      <Button renderRoot={(props) => <Link to="/v/$venue/orders" params={{ venue }} {...props} />}>{t("missing.home")}</Button>
    </CenteredMessage>
  );
};

export const PageCrash = ({ error, reset }: ErrorComponentProps) => {
  const { t } = useTranslation();
  const router = useRouter();
  const describe = useErrorText();
  const again = () => {
    reset();
    void router.invalidate();
  };
  const isAway = hasErrorCode(error, "offline") || !navigator.onLine;
  const recover = useReloadWhenOnline(isAway);
  if (isAway)
    return (
      <CenteredMessage title={t(navigator.onLine ? "offline.unreachable" : "offline.title")} lead={t("offline.lead")}>
        <Button onClick={recover}>{t("common.retry")}</Button>
      </CenteredMessage>
    );
  if (error instanceof CallError)
    return (
      <CenteredMessage title={t("refusals.title")} lead={describe(error)}>
        <Button onClick={again}>{t("common.retry")}</Button>
      </CenteredMessage>
    );
  return (
    <CenteredMessage title={t("crash.title")} lead={t("crash.lead")}>
      <Button onClick={() => window.location.reload()}>{t("crash.reload")}</Button>
    </CenteredMessage>
  );
};

/** An error with an optional retry button. */
export const ErrorAlert = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const { t } = useTranslation();
  const describe = useErrorText();
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
