/** The endpoint URL. It is checked step by step on blur or on request. */
import { Button, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { CheckSteps } from "./check-steps.tsx";

/** The value, or while a pointer is down the value before that: a button that moves between press and release loses the click. */
const useWhileReleased = <T,>(value: T): T => {
  const latest = useRef(value);
  const [held, setHeld] = useState<{ value: T } | null>(null);
  useEffect(() => {
    latest.current = value;
  });
  useEffect(() => {
    const press = () => setHeld({ value: latest.current });
    // The click comes after the release.
    const release = () => void setTimeout(() => setHeld(null));
    window.addEventListener("pointerdown", press, true);
    window.addEventListener("pointerup", release, true);
    window.addEventListener("pointercancel", release, true);
    return () => {
      window.removeEventListener("pointerdown", press, true);
      window.removeEventListener("pointerup", release, true);
      window.removeEventListener("pointercancel", release, true);
    };
  }, []);
  return held ? held.value : value;
};

type AddressFieldProps = {
  url: string;
  onChange: (url: string) => void;
  fault: string | undefined;
  /** Called when every step passed: an earlier error is out of date. */
  onGood: () => void;
  /** The saved URL is not checked on blur. */
  isKnown: boolean;
};

const isWorthALook = (url: string): boolean => /^[a-z]+:\/\/\S+\.\S+$/i.test(url.trim());

export const AddressField = ({ url, onChange, fault, onGood, isKnown }: AddressFieldProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const [checked, setChecked] = useState<string | null>(null);
  const check = useMutation({
    mutationFn: async (address: string) => (await call("checkAddress", { params: { venue }, body: { url: address } })).data,
    onSuccess: (steps) => steps.every(({ is_good }) => is_good) && onGood(),
  });
  const look = () => {
    setChecked(url);
    check.mutate(url.trim());
  };
  const isOfThisUrl = checked === url;
  const shown = useWhileReleased({
    isRunning: isOfThisUrl && check.isPending,
    steps: (isOfThisUrl && check.data) || null,
    error: isOfThisUrl ? check.error : null,
  });
  return (
    <Stack gap="sm">
      <div className="address-line">
        <TextInput
          className="grow"
          label={t("endpoint.url")}
          description={t("endpoint.urlHint")}
          type="url"
          inputMode="url"
          dir="ltr"
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          value={url}
          error={fault && <span dir="auto">{fault}</span>}
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={() => !isKnown && checked !== url && isWorthALook(url) && look()}
        />
        <Button variant="default" onClick={look} loading={check.isPending} disabled={!isWorthALook(url)}>
          {t("endpoint.check")}
        </Button>
      </div>
      {shown.error ? <ErrorAlert error={shown.error} onRetry={look} /> : <CheckSteps isRunning={shown.isRunning} steps={shown.steps} />}
    </Stack>
  );
};
