/** Turns the second factor off, and renews its recovery codes. */
import { useTranslation } from "react-i18next";
import { type CallReply, call } from "../api.ts";
import { PasswordAndCode } from "./password-and-code.tsx";

export const DisableTotp = ({ onDone }: { onDone: (person: CallReply<"endSecondFactor">["data"]) => void }) => {
  const { t } = useTranslation();
  return (
    <PasswordAndCode
      lead={t("factor.endLead")}
      action={t("factor.end")}
      isDangerous
      send={async (body) => (await call("endSecondFactor", { body })).data}
      onDone={onDone}
    />
  );
};

export const RenewRecoveryCodes = ({ onDone }: { onDone: (done: CallReply<"renewRecoveryCodes">["data"]) => void }) => {
  const { t } = useTranslation();
  return (
    <PasswordAndCode
      lead={t("recovery.renewLead")}
      action={t("recovery.renew")}
      send={async (body) => (await call("renewRecoveryCodes", { body })).data}
      onDone={onDone}
    />
  );
};
