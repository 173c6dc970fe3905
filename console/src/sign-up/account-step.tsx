import { PasswordInput, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type OpeningVenue, OpenVenueError } from "./open-venue.tsx";
import type { Opener, SignUpDraft } from "./sign-up-draft.ts";
import { StepForm } from "./step-form.tsx";

const PASSWORD_LENGTH_MIN = 10;

type AccountStepProps = { opener: Opener; opening: OpeningVenue; draft: SignUpDraft; onBack: () => void };

/** The password is not kept in the browser. */
export const AccountStep = ({ opener, opening, draft, onBack }: AccountStepProps) => {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  return (
    <StepForm
      number={3}
      count={3}
      title={t("signUp.account")}
      isReady={name.trim() !== "" && password.length >= PASSWORD_LENGTH_MIN}
      isPending={opening.isPending}
      nextText={t("signUp.open")}
      onNext={() => opening.open(draft, { name, password })}
      onBack={onBack}
    >
      <Text size="sm" c="dimmed">
        {t("signUp.accountLead", { email: opener.email })}
      </Text>
      <input type="hidden" name="username" autoComplete="username" value={opener.email} readOnly />
      <TextInput
        label={t("signUp.person")}
        size="md"
        required
        withAsterisk={false}
        maxLength={120}
        dir="auto"
        autoComplete="name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <PasswordInput
        visibilityToggleButtonProps={{ "aria-label": t("common.showPassword") }}
        label={t("signUp.password")}
        description={t("signUp.passwordHint")}
        size="md"
        name="new-password"
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH_MIN}
        maxLength={200}
        required
        withAsterisk={false}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <OpenVenueError error={opening.error} />
    </StepForm>
  );
};
