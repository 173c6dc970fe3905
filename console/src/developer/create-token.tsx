import type { Scope } from "@comanda/contract/scopes.ts";
import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SideDialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import type { CreatedToken } from "./new-token-modal.tsx";
import { ScopesAndExpiry } from "./scope-matrix.tsx";
import { DEFAULT_EXPIRY, type ExpiryDays, PRESET_NAMES, PRESETS, type Preset } from "./token-presets.ts";
import { tokensQuery } from "./token-queries.ts";

type CreateTokenProps = { isOpen: boolean; onClose: () => void; onCreated: (token: CreatedToken) => void };

export const CreateToken = ({ isOpen, onClose, onCreated }: CreateTokenProps) => {
  const { t } = useTranslation();
  return (
    <SideDialog isOpen={isOpen} onClose={onClose} title={t("create.title")} size={520}>
      <CreateForm onCreated={onCreated} onClose={onClose} />
    </SideDialog>
  );
};

const useNewToken = (onCreated: CreateTokenProps["onCreated"]) => {
  const venue = useVenue();
  const [name, setName] = useState("");
  const [preset, setPreset] = useState<Preset>("website");
  const [scopes, setScopes] = useState<readonly Scope[]>(PRESETS.website);
  const [expiry, setExpiry] = useState<ExpiryDays>(DEFAULT_EXPIRY);
  const { write, isPending, error } = useWrite<"createToken">({
    readAgain: [tokensQuery(venue).queryKey],
    onDone: ({ data: { token } }, { body }) => onCreated({ token, scopes: body.scopes }),
    // The form says why.
    onRefused: () => undefined,
  });
  const create = () => {
    const body = { name: name.trim(), scopes: [...scopes], expires_in_days: expiry === "none" ? null : Number(expiry) };
    write({ id: "createToken", params: { venue }, body });
  };
  const choose = (chosen: Preset) => {
    setPreset(chosen);
    if (chosen !== "own") setScopes(PRESETS[chosen]);
  };
  const adjust = (changed: readonly Scope[]) => {
    setPreset("own");
    setScopes(changed);
  };
  return { name, setName, preset, choose, scopes, adjust, expiry, setExpiry, create, isPending, error };
};

const CreateForm = ({ onCreated, onClose }: Omit<CreateTokenProps, "isOpen">) => {
  const { t } = useTranslation();
  const { name, setName, preset, choose, scopes, adjust, expiry, setExpiry, create, isPending, error } = useNewToken(onCreated);
  const [hasTried, setTried] = useState(false);
  const isNameless = name.trim() === "";
  const submit = () => {
    setTried(true);
    if (!isNameless && scopes.length > 0) create();
  };
  return (
    <Form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput
          label={t("tokens.name")}
          description={t("create.nameHint")}
          placeholder={t("create.namePlaceholder")}
          maxLength={80}
          {...(isNameless ? {} : { dir: "auto" })}
          data-autofocus
          autoComplete="off"
          value={name}
          error={(hasTried && isNameless && t("create.nameMissing")) || fieldErrors(error).name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Presets preset={preset} onChoose={choose} />
        <ScopesAndExpiry
          scopes={scopes}
          onScopes={adjust}
          expiry={expiry}
          onExpiry={setExpiry}
          isOpen={preset === "own"}
          fault={hasTried && scopes.length === 0 ? t("create.scopesMissing") : null}
        />
        {error && <ErrorAlert error={error} />}
        <Group justify="flex-end" className="drawer-foot">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={isPending}>
            {t("create.submit")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

const Presets = ({ preset, onChoose }: { preset: Preset; onChoose: (preset: Preset) => void }) => {
  const { t } = useTranslation();
  return (
    <Radio.Group label={t("create.preset")} value={preset} onChange={(value) => onChoose(value as Preset)}>
      <Stack gap={8} mt={8}>
        {PRESET_NAMES.map((name) => (
          <Radio.Card key={name} value={name} className="choice-card" aria-label={t(`create.presets.${name}.name`)}>
            <Group wrap="nowrap" align="center" gap="sm">
              <Radio.Indicator />
              <div>
                <Text fw={550} size="sm">
                  {t(`create.presets.${name}.name`)}
                </Text>
                <Text size="xs" c="dimmed">
                  {t(`create.presets.${name}.lead`)}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
};
