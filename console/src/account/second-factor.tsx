import { Badge, Button, Group, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Reply } from "../api.ts";
import { sessionQuery, useSession } from "../session.ts";
import { PageLoading } from "../ui/states.tsx";
import { useToast } from "../ui/toast.ts";
import { AccountCard } from "./card.tsx";

const BeginFactor = lazy(async () => ({ default: (await import("./begin-factor.tsx")).BeginFactor }));
const EndFactor = lazy(async () => ({ default: (await import("./end-factor.tsx")).EndFactor }));

export const SecondFactor = () => {
  const { t } = useTranslation();
  const toast = useToast();
  const session = useSession();
  const queryClient = useQueryClient();
  const [isOpen, dialog] = useDisclosure(false);
  const isOn = session.person.has_second_factor;
  const onDone = (person: Reply<"confirmSecondFactor">["data"]) => {
    dialog.close();
    toast.done(t(person.has_second_factor ? "factor.turnedOn" : "factor.turnedOff"));
    queryClient.setQueryData(sessionQuery.queryKey, { ...session, person });
  };
  return (
    <AccountCard
      id="factor"
      title={t("factor.title")}
      lead={t(isOn ? "factor.onLead" : "factor.offLead")}
      mark={<Badge color={isOn ? "green" : "gray"}>{t(isOn ? "factor.on" : "factor.off")}</Badge>}
    >
      <Group>
        <Button variant="default" onClick={dialog.open}>
          {t(isOn ? "factor.end" : "factor.begin")}
        </Button>
      </Group>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={t(isOn ? "factor.endTitle" : "factor.title")}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <Suspense fallback={<PageLoading />}>{isOn ? <EndFactor onDone={onDone} /> : <BeginFactor onDone={onDone} />}</Suspense>
      </Modal>
    </AccountCard>
  );
};
