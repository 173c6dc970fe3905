/** A menu, and a category: name, hours, whether guests see it; a category also has its menu and station. */
import { NativeSelect, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { FormFrame, NameField, OwnHours, type SubjectFormProps } from "./form-parts.tsx";
import { type DraftSubject, keysIn, type MenuValues } from "./menu-draft.ts";

const STATION_MAX = 60;

type ActivePart = { is_active: boolean; onActive: (is_active: boolean) => void };

const ActiveSwitch = ({ is_active, onActive }: ActivePart) => {
  const { t } = useTranslation();
  return (
    <Switch
      size="lg"
      label={t("menuEditor.shown")}
      description={t("menuEditor.shownHint")}
      checked={is_active}
      onChange={({ currentTarget: { checked } }) => onActive(checked)}
    />
  );
};

export const MenuForm = ({ subject, edit, languages, onClose }: SubjectFormProps<DraftSubject<MenuValues["menus"]>>) => {
  const { t } = useTranslation();
  const { key, value, saved } = subject;
  const change = (part: Partial<MenuValues["menus"]>): void => edit.set({ list: "menus", key }, { ...value, ...part });
  const isUsed = keysIn(edit.shown, "categories", key).length > 0;
  return (
    <FormFrame
      removeLabel={t("menuEditor.removeMenu")}
      removeHint={isUsed ? t("menuEditor.menuUsed") : null}
      onRemove={() => {
        edit.set({ list: "menus", key }, null);
        onClose();
      }}
      onClose={onClose}
    >
      <NameField languages={languages} name={value.name} saved={saved?.name} onChange={(name) => change({ name })} />
      <ActiveSwitch is_active={value.is_active} onActive={(is_active) => change({ is_active })} />
      <OwnHours hours={value.hours} onChange={(hours) => change({ hours })} />
    </FormFrame>
  );
};

export const CategoryForm = ({ subject, edit, languages, onClose }: SubjectFormProps<DraftSubject<MenuValues["categories"]>>) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { key, value, saved } = subject;
  const change = (part: Partial<MenuValues["categories"]>): void => edit.set({ list: "categories", key }, { ...value, ...part });
  const isUsed = keysIn(edit.shown, "items", key).length > 0;
  const stations = new Set(edit.shown.categories.flatMap((one) => one.value.station ?? []));
  return (
    <FormFrame
      removeLabel={t("menuEditor.removeCategory")}
      removeHint={isUsed ? t("menuEditor.categoryUsed") : null}
      onRemove={() => {
        edit.set({ list: "categories", key }, null);
        onClose();
      }}
      onClose={onClose}
    >
      <NameField languages={languages} name={value.name} saved={saved?.name} onChange={(name) => change({ name })} />
      <NativeSelect
        size="md"
        label={t("menuEditor.menu")}
        value={value.menu}
        data={edit.shown.menus
          .filter((menu) => menu.state !== "removed" || menu.key === value.menu)
          .map((menu) => ({ value: menu.key, label: pick(menu.value.name) || t("menuEditor.unnamed") }))}
        onChange={({ currentTarget }) => change({ menu: currentTarget.value })}
      />
      <TextInput
        size="md"
        label={t("menuEditor.station")}
        description={t("menuEditor.stationHint")}
        dir="auto"
        list="menu-stations"
        maxLength={STATION_MAX}
        autoComplete="off"
        value={value.station ?? ""}
        onChange={({ currentTarget }) => change({ station: currentTarget.value === "" ? null : currentTarget.value })}
      />
      <datalist id="menu-stations">
        {[...stations].map((station) => (
          <option key={station} value={station} />
        ))}
      </datalist>
      <ActiveSwitch is_active={value.is_active} onActive={(is_active) => change({ is_active })} />
      <OwnHours hours={value.hours} onChange={(hours) => change({ hours })} />
    </FormFrame>
  );
};
