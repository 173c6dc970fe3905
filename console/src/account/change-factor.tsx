/** Ending the second factor, and making its recovery codes anew. */
import { useTranslation } from "react-i18next";
import { call, type Reply } from "../api.ts";
import { PasswordAndCode } from "./password-and-code.tsx";

export const EndFactor = ({ onDone }: { onDone: (person: Reply<"endSecondFactor">["data"]) => void }) => {
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

export const RenewCodes = ({ onDone }: { onDone: (done: Reply<"renewRecoveryCodes">["data"]) => void }) => {
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
