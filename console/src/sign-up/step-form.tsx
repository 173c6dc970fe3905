/** One step: its fields, the way back, and the way on once it is complete. */
import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Form } from "#kit/form.tsx";
import { SignedOutLayout } from "#shell/signed-out-layout.tsx";

type StepFormProps = {
  number: number;
  count: number;
  title: string;
  notice?: ReactNode;
  isReady: boolean;
  isPending?: boolean;
  nextText?: string;
  onNext: () => void;
  onBack?: () => void;
  children: ReactNode;
};

export const StepForm = ({
  number,
  count,
  title,
  notice,
  isReady,
  isPending = false,
  nextText,
  onNext,
  onBack,
  children,
}: StepFormProps) => {
  const { t } = useTranslation();
  const submit = () => {
    if (isReady) onNext();
  };
  return (
    <SignedOutLayout title={title} lead={t("signUp.step", { number, count })}>
      {notice}
      <Form onSubmit={submit} className="sign-up-form">
        <Stack gap="md">
          {children}
          <Group gap="sm" wrap="nowrap">
            {onBack && (
              <Button variant="default" size="md" onClick={onBack}>
                {t("signUp.back")}
              </Button>
            )}
            <Button type="submit" size="md" className="grow" disabled={!isReady} loading={isPending}>
              {nextText ?? t("signUp.next")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </SignedOutLayout>
  );
};
