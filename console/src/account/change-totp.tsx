/** Turns the second factor off, and renews its recovery codes. */
import { useTranslation } from "react-i18next";
import type { CallReply } from "#kit/api.ts";
import { useWrite } from "#kit/write.ts";
import { PasswordAndCode } from "./password-and-code.tsx";

/** The form says why. */
const onRefused = (): void => undefined;

export const DisableTotp = ({ onDone }: { onDone: (person: CallReply<"endSecondFactor">["data"]) => void }) => {
  const { t } = useTranslation();
  const { write, ...sending } = useWrite<"endSecondFactor">({ onDone: ({ data }) => onDone(data), onRefused });
  return (
    <PasswordAndCode
      lead={t("factor.endLead")}
      action={t("factor.end")}
      isDangerous
      {...sending}
      onSend={(body) => write({ id: "endSecondFactor", body })}
    />
  );
};

export const RenewRecoveryCodes = ({ onDone }: { onDone: (done: CallReply<"renewRecoveryCodes">["data"]) => void }) => {
  const { t } = useTranslation();
  const { write, ...sending } = useWrite<"renewRecoveryCodes">({ onDone: ({ data }) => onDone(data), onRefused });
  return (
    <PasswordAndCode
      lead={t("recovery.renewLead")}
      action={t("recovery.renew")}
      {...sending}
      onSend={(body) => write({ id: "renewRecoveryCodes", body })}
    />
  );
};
