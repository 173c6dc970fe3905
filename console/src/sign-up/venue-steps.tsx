/** The steps to a new venue, one after the other: the restaurant, its hours and dishes, the account. */
import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AccountStep } from "./account-step.tsx";
import { MenuStep } from "./menu-step.tsx";
import { OpenVenueError, useOpenVenue } from "./open-venue.tsx";
import { RestaurantStep } from "./restaurant-step.tsx";
import type { Opener } from "./sign-up-draft.ts";
import { isMenuReady, isNamed, keepDraft, readDraft, type SignUpDraft } from "./sign-up-draft.ts";
import { StepForm } from "./step-form.tsx";
import { WaitForLink } from "./wait-for-link.tsx";

type StepName = "restaurant" | "menu" | "account";

/** Where the owner left off, when the link of the mail opens in another tab. */
const firstStep = (draft: SignUpDraft, isConfirmed: boolean, hasSession: boolean): StepName =>
  isConfirmed && !hasSession && isNamed(draft) && isMenuReady(draft) ? "account" : "restaurant";

const useDraft = () => {
  const [draft, setDraft] = useState(readDraft);
  const change = (part: Partial<SignUpDraft>): void => {
    const next = { ...draft, ...part };
    setDraft(next);
    keepDraft(next);
  };
  return [draft, change] as const;
};

type VenueStepsProps = { opener: Opener | null; mailedTo?: string; onOtherAddress?: () => void };

/** Without an opener the address is not confirmed, and the last step waits for the link. */
export const VenueSteps = ({ opener, mailedTo = "", onOtherAddress = () => undefined }: VenueStepsProps) => {
  const { t } = useTranslation();
  const [draft, change] = useDraft();
  const hasSession = opener?.hasSession ?? false;
  const [step, setStep] = useState<StepName>(() => firstStep(draft, opener !== null, hasSession));
  const opening = useOpenVenue(opener);
  const notice = opener === null ? <Notice email={mailedTo} /> : null;
  const count = hasSession ? 2 : 3;
  if (step === "restaurant")
    return (
      <StepForm
        number={1}
        count={count}
        title={t("signUp.restaurant")}
        notice={notice}
        onNext={() => setStep("menu")}
        isReady={isNamed(draft)}
      >
        <RestaurantStep draft={draft} onChange={change} />
      </StepForm>
    );
  if (step === "menu")
    return (
      <StepForm
        number={2}
        count={count}
        title={t("signUp.hoursAndDishes")}
        notice={notice}
        isReady={isMenuReady(draft)}
        isPending={opening.isPending}
        nextText={hasSession ? t("signUp.open") : t("signUp.next")}
        onNext={() => (hasSession ? opening.open(draft, null) : setStep("account"))}
        onBack={() => setStep("restaurant")}
      >
        <MenuStep draft={draft} onChange={change} />
        <OpenVenueError error={opening.error} />
      </StepForm>
    );
  if (opener === null) return <WaitForLink email={mailedTo} onOtherAddress={onOtherAddress} onBack={() => setStep("menu")} />;
  return <AccountStep opener={opener} opening={opening} draft={draft} onBack={() => setStep("menu")} />;
};

const Notice = ({ email }: { email: string }) => {
  const { t } = useTranslation();
  return (
    <Text role="status" className="sign-up-notice" size="sm">
      {t("signUp.mailed", { email })}
    </Text>
  );
};
