/** Gives a device that shows a code access as a screen of the venue. */
import { isPairingCode, plainPairingCode } from "@comanda/contract/console/pairing-codes.ts";
import type { Screens } from "@comanda/contract/console/screens.ts";
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { SideDialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { currentLanguage } from "#kit/language.ts";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { codeFaultOf } from "./code-fault.ts";
import { ScreenFields } from "./screen-fields.tsx";
import { type ScreenSettings, screensQuery } from "./screens-query.ts";

type PairScreenProps = { isOpen: boolean; listed: Screens; onClose: () => void };

export const PairScreen = ({ isOpen, listed, onClose }: PairScreenProps) => {
  const { t } = useTranslation();
  return (
    <SideDialog isOpen={isOpen} onClose={onClose} title={t("screens.pair")} size={500}>
      <PairForm listed={listed} onClose={onClose} />
    </SideDialog>
  );
};

export const HowToPair = () => {
  const { t } = useTranslation();
  const address = `${window.location.host}/console/screen`;
  return (
    <Text size="sm" c="dimmed">
      <Trans t={t} i18nKey="screens.how" values={{ address }} components={{ address: <b className="code break" /> }} />
    </Text>
  );
};

/** The suggested name with the first number that is free. */
const freeName = (suggested: string, { screens }: Screens): string => {
  const taken = new Set(screens.map(({ name }) => name));
  const names = [suggested, ...Array.from({ length: taken.size }, (_, index) => `${suggested} ${index + 2}`)];
  return names.find((name) => !taken.has(name)) ?? suggested;
};

const usePairing = (listed: Screens, onClose: () => void) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [code, setCode] = useState("");
  const [settings, setSettings] = useState<ScreenSettings>({
    name: freeName(t("screens.nameSuggested"), listed),
    branch_id: null,
    stations: [],
    language: currentLanguage(),
    has_sound: true,
  });
  const { write, isPending, error, reset } = useWrite<"pairScreen">({
    readAgain: [screensQuery(venue).queryKey],
    onDone: ({ data: { name } }) => toast.done(t("screens.pairDone", { name })),
    onClose,
    // The form says why.
    onRefused: () => undefined,
  });
  const pair = (): void => {
    const body = { ...settings, code: plainPairingCode(code), purpose: "kitchen" as const, name: settings.name.trim() };
    write({ id: "pairScreen", params: { venue }, body });
  };
  const changeCode = (text: string): void => {
    setCode(text);
    // The sentence about the last code does not stay beside another one.
    if (error) reset();
  };
  return { code, changeCode, settings, setSettings, pair, isPending, error };
};

const PairForm = ({ listed, onClose }: Omit<PairScreenProps, "isOpen">) => {
  const { t } = useTranslation();
  const { code, changeCode, settings, setSettings, pair, isPending, error } = usePairing(listed, onClose);
  const [tries, setTries] = useState(0);
  const translate = useErrorTranslation();
  const isNameless = settings.name.trim() === "";
  const faults = fieldErrors(error);
  const isCodeRefused = faults.code !== undefined;
  const codeFault = codeFaultOf(code, tries > 0);
  const codeError = isCodeRefused ? translate(faults.code ?? "") : codeFault && t(codeFault);
  const submit = (): void => {
    setTries(tries + 1);
    if (isPairingCode(plainPairingCode(code)) && !isNameless) pair();
  };
  return (
    <Form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <HowToPair />
        <TextInput
          label={t("screens.code")}
          description={t("screens.codeHint")}
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          dir="ltr"
          placeholder="XXXX XXXX"
          classNames={{ input: "code-input pairing-input" }}
          data-autofocus
          value={code}
          error={codeError}
          onChange={(event) => changeCode(event.currentTarget.value)}
        />
        <ScreenFields
          settings={settings}
          listed={listed}
          nameError={tries > 0 && isNameless ? t("screens.nameMissing") : (faults.name ?? null)}
          onChange={(changed) => setSettings({ ...settings, ...changed })}
        />
        {error && !isCodeRefused && <ErrorAlert error={error} />}
        <Group justify="flex-end" className="drawer-foot">
          <Button variant="default" size="md" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" size="md" loading={isPending}>
            {t("screens.pairSubmit")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
