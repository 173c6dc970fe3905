import type { AppForm, OwnApp } from "@comanda/contract/console/apps.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ScopeMatrix, ScopeMeanings } from "#developer/scope-matrix.tsx";
import { SideDialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { ownAppsQuery } from "../app-queries.ts";
import { AppTextFields } from "./app-text-fields.tsx";
import type { NewClientSecret } from "./client-secret-modal.tsx";
import { LogoField } from "./logo-field.tsx";
import { RedirectList } from "./redirect-list.tsx";

type EditAppProps = { isOpen: boolean; app: OwnApp | null; onClose: () => void; onRegistered: (made: NewClientSecret) => void };

export const EditApp = ({ isOpen, app, onClose, onRegistered }: EditAppProps) => {
  const { t } = useTranslation();
  return (
    <SideDialog
      isOpen={isOpen}
      onClose={onClose}
      title={app ? t("appForm.editTitle", { name: app.name }) : t("appForm.registerTitle")}
      size={580}
    >
      {isOpen && <AppFields app={app} onClose={onClose} onRegistered={onRegistered} />}
    </SideDialog>
  );
};

const atFirst = (app: OwnApp | null): AppForm => ({
  name: app?.name ?? "",
  developer: app?.developer ?? "",
  summary: app?.summary ?? "",
  site: app?.site ?? "https://",
  install_url: app?.install_url ?? null,
  logo: app?.logo ?? null,
  redirect_uris: app?.redirect_uris ?? ["https://"],
  scopes: app?.scopes ?? [],
});

const tidy = (form: AppForm): AppForm => ({
  ...form,
  name: form.name.trim(),
  developer: form.developer.trim(),
  summary: form.summary.trim(),
  site: form.site.trim(),
  install_url: form.install_url?.trim() || null,
  redirect_uris: form.redirect_uris.map((uri) => uri.trim()),
});

const isBlank = (text: string): boolean => /^(https?:\/\/)?$/.test(text);

/** The names of missing fields, as the server names them. */
const missingIn = (form: AppForm): string[] => [
  ...(["name", "developer", "summary", "site"] as const).filter((field) => isBlank(form[field])),
  ...form.redirect_uris.flatMap((uri, place) => (isBlank(uri) ? [`redirect_uris.${place}`] : [])),
  ...(form.scopes.length === 0 ? ["scopes"] : []),
];

const useSave = ({ app, onClose, onRegistered }: Omit<EditAppProps, "isOpen">) => {
  const { t } = useTranslation();
  const toast = useToast();
  const common = {
    readAgain: [ownAppsQuery.queryKey],
    // The form says why.
    onRefused: () => undefined,
  };
  const register = useWrite<"registerApp">({ ...common, onDone: ({ data }) => onRegistered(data) });
  const change = useWrite<"changeApp">({ ...common, onDone: () => toast.done(t("appForm.saved")), onClose });
  const save = (body: AppForm): void => {
    if (app === null) register.write({ id: "registerApp", body });
    else change.write({ id: "changeApp", params: { id: app.id }, body });
  };
  const { isPending, error } = app === null ? register : change;
  return { save, isPending, error };
};

const AppFields = ({ app, onClose, onRegistered }: Omit<EditAppProps, "isOpen">) => {
  const { t } = useTranslation();
  const say = useErrorTranslation();
  const [form, setForm] = useState(() => atFirst(app));
  const [hasTried, setTried] = useState(false);
  const save = useSave({ app, onClose, onRegistered });
  const change = (part: Partial<AppForm>) => setForm((before) => ({ ...before, ...part }));
  const missing = missingIn(tidy(form));
  const refused = fieldErrors(save.error);
  const faultOf = (field: string): string | undefined => {
    if (hasTried && missing.includes(field)) return t(field === "scopes" ? "appForm.scopesMissing" : "appForm.missing");
    return refused[field] && say(refused[field]);
  };
  const submit = () => {
    setTried(true);
    if (missing.length === 0) save.save(tidy(form));
  };
  const scopesFault = faultOf("scopes");
  return (
    <Form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <AppTextFields form={form} onChange={change} faultOf={faultOf} />
        <LogoField name={form.name} logo={form.logo} onChange={(logo) => change({ logo })} fault={faultOf("logo")} />
        <RedirectList uris={form.redirect_uris} onChange={(uris) => change({ redirect_uris: uris })} faultOf={faultOf} />
        <fieldset className="form-part">
          <legend>{t("appForm.scopes")}</legend>
          <p className="form-hint">{t("appForm.scopesHint")}</p>
          <ScopeMatrix scopes={form.scopes} onScopes={(scopes) => change({ scopes: [...scopes] })} />
          {scopesFault && (
            <Text role="alert" size="sm" c="var(--mantine-color-error)">
              {scopesFault}
            </Text>
          )}
          <ScopeMeanings />
        </fieldset>
        {save.error && Object.keys(refused).length === 0 && <ErrorAlert error={save.error} />}
        <Group justify="flex-end" className="drawer-foot">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(app ? "appForm.submitEdit" : "appForm.submitRegister")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
