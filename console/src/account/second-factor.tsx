import { Badge, Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CallReply } from "#kit/api.ts";
import { Dialog } from "#kit/dialog.tsx";
import { useToast } from "#kit/toast.ts";
import { lazyPart } from "#shell/offline.tsx";
import { PageLoading } from "#shell/page-states.tsx";
import { sessionQuery, useSession } from "#shell/session.ts";
import { AccountCard } from "./account-card.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

const EnableTotp = lazyPart(() => import("./enable-totp.tsx"), "EnableTotp");
const DisableTotp = lazyPart(() => import("./change-totp.tsx"), "DisableTotp");
const RenewRecoveryCodes = lazyPart(() => import("./change-totp.tsx"), "RenewRecoveryCodes");

type AccountUser = CallReply<"endSecondFactor">["data"];
type PersonWithRecoveryCodes = CallReply<"confirmSecondFactor">["data"];
type SecondFactorDialog = "begin" | "end" | "renew";

const FEW = 3;

const useFactor = () => {
  const { t } = useTranslation();
  const toast = useToast();
  const session = useSession();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<SecondFactorDialog | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const keep = (person: AccountUser) => {
    setDialog(null);
    queryClient.setQueryData(sessionQuery.queryKey, { ...session, person });
  };
  const onCodes = ({ person, recovery_codes }: PersonWithRecoveryCodes) => {
    keep(person);
    setCodes(recovery_codes);
  };
  const onTurnedOn = (done: PersonWithRecoveryCodes) => {
    onCodes(done);
    toast.done(t("factor.turnedOn"));
    void queryClient.invalidateQueries({ queryKey: ["sessions"] });
  };
  // Venues may ask for it.
  const readVenues = () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  const onTurnedOff = (person: AccountUser) => {
    keep(person);
    readVenues();
    toast.done(t("factor.turnedOff"));
  };
  const onCodesClosed = () => {
    setCodes(null);
    readVenues();
  };
  return { person: session.person, dialog, setDialog, codes, onCodes, onCodesClosed, onTurnedOn, onTurnedOff };
};

/** `onBusy`: a dialog is open, or recovery codes are shown. */
export const SecondFactor = ({ onBusy }: { onBusy?: (isBusy: boolean) => void }) => {
  const { t } = useTranslation();
  const factor = useFactor();
  const isBusy = factor.dialog !== null || factor.codes !== null;
  useEffect(() => onBusy?.(isBusy), [onBusy, isBusy]);
  const isOn = factor.person.has_second_factor;
  return (
    <AccountCard
      id="factor"
      title={t("factor.title")}
      lead={t(isOn ? "factor.onLead" : "factor.offLead")}
      mark={<Badge color={isOn ? "green" : "gray"}>{t(isOn ? "factor.on" : "factor.off")}</Badge>}
    >
      {isOn && <CodesLeft count={factor.person.recovery_codes_left} />}
      <Group gap="sm">
        {isOn && (
          <Button variant="default" onClick={() => factor.setDialog("renew")}>
            {t("recovery.renew")}
          </Button>
        )}
        <Button variant="default" onClick={() => factor.setDialog(isOn ? "end" : "begin")}>
          {t(isOn ? "factor.end" : "factor.begin")}
        </Button>
      </Group>
      <FactorDialog factor={factor} />
      <RecoveryCodes codes={factor.codes} onClose={factor.onCodesClosed} />
    </AccountCard>
  );
};

const CodesLeft = ({ count }: { count: number }) => {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" fw={550}>
        {t("recovery.left", { count })}
      </Text>
      {count <= FEW && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t("recovery.few")}
        </Text>
      )}
    </div>
  );
};

const TITLES = { begin: "factor.title", end: "factor.endTitle", renew: "recovery.renewTitle" } as const;

const FactorDialog = ({ factor }: { factor: ReturnType<typeof useFactor> }) => {
  const { t } = useTranslation();
  const { dialog } = factor;
  return (
    <Dialog isOpen={dialog !== null} onClose={() => factor.setDialog(null)} title={dialog && t(TITLES[dialog])}>
      <Suspense fallback={<PageLoading />}>
        {dialog === "begin" && <EnableTotp onDone={factor.onTurnedOn} />}
        {dialog === "end" && <DisableTotp onDone={factor.onTurnedOff} />}
        {dialog === "renew" && <RenewRecoveryCodes onDone={factor.onCodes} />}
      </Suspense>
    </Dialog>
  );
};
