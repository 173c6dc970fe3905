/** Tells the venue that messages were not sent, and lists them. Nothing is shown where none failed. */
import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { WarningIcon } from "#kit/icons.tsx";
import { lazyPart } from "#shell/offline.tsx";
import { useVenue } from "#shell/venue.ts";
import { messagesQuery } from "./message-queries.ts";
import "./messages.css";

const FailedList = lazyPart(() => import("./failed-list.tsx"), "FailedList");

export const FailedMessages = () => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data: failed = [] } = useQuery(messagesQuery(useVenue()));
  if (failed.length === 0 && !isOpen) return null;
  return (
    <>
      {failed.length > 0 && (
        <div className="failed-messages">
          <WarningIcon size={20} />
          <span role="status">{t("messages.failed", { count: failed.length })}</span>
          <Button variant="default" className="service-target" onClick={() => setOpen(true)}>
            {t("messages.show")}
          </Button>
        </div>
      )}
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={t("messages.failedTitle")} size="lg">
        <Stack>
          <Text c="dimmed">{t("messages.failedLead")}</Text>
          <Suspense fallback={<Skeleton height={80} />}>
            <FailedList messages={failed} />
          </Suspense>
        </Stack>
      </Dialog>
    </>
  );
};
