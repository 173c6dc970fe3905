/** Changes what a paired screen shows. It follows at once. */
import type { Screen, Screens } from "@comanda/contract/console/screens.ts";
import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SideDialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { ScreenFields } from "./screen-fields.tsx";
import { type ScreenSettings, screensQuery } from "./screens-query.ts";

type ChangeScreenProps = { screen: Screen | null; listed: Screens; onClose: () => void };

export const ChangeScreen = ({ screen, listed, onClose }: ChangeScreenProps) => {
  const { t } = useTranslation();
  return (
    <SideDialog isOpen={screen !== null} onClose={onClose} title={t("screens.changeTitle", { name: screen?.name ?? "" })} size={500}>
      {screen && <ChangeForm screen={screen} listed={listed} onClose={onClose} />}
    </SideDialog>
  );
};

/** Only what differs is sent: what a colleague changed meanwhile stays. */
const changesOf = (screen: Screen, { name, ...others }: ScreenSettings): Partial<ScreenSettings> =>
  Object.fromEntries(
    Object.entries({ name: name.trim(), ...others }).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(screen[field as keyof ScreenSettings]),
    ),
  );

const settingsOf = ({ name, branch_id, stations, language, has_sound }: Screen): ScreenSettings => ({
  name,
  branch_id,
  stations,
  language,
  has_sound,
});

const ChangeForm = ({ screen, listed, onClose }: ChangeScreenProps & { screen: Screen }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [settings, setSettings] = useState(() => settingsOf(screen));
  const { write, isPending, error } = useWrite<"changeScreen">({
    readAgain: [screensQuery(venue).queryKey],
    onDone: ({ data: { name } }) => toast.done(t("screens.changeDone", { name })),
    onClose,
    // The form says why.
    onRefused: () => undefined,
  });
  const isNameless = settings.name.trim() === "";
  const submit = (): void => {
    if (isNameless) return;
    const changes = changesOf(screen, settings);
    if (Object.keys(changes).length === 0) onClose();
    else write({ id: "changeScreen", params: { venue, id: screen.id }, body: changes });
  };
  return (
    <Form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <ScreenFields
          settings={settings}
          listed={listed}
          nameError={isNameless ? t("screens.nameMissing") : (fieldErrors(error).name ?? null)}
          onChange={(changed) => setSettings({ ...settings, ...changed })}
        />
        {error && <ErrorAlert error={error} />}
        <Group justify="flex-end" className="drawer-foot">
          <Button variant="default" size="md" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" size="md" loading={isPending}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};
