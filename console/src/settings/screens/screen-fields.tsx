/** The fields that pairing and changing a screen share. */
import type { Screens } from "@comanda/contract/console/screens.ts";
import { Chip, Input, NativeSelect, SegmentedControl, Stack, Switch, TextInput } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import type { ScreenSettings } from "./screens-query.ts";

type ScreenFieldsProps = {
  settings: ScreenSettings;
  listed: Screens;
  nameError: string | null;
  onChange: (changed: Partial<ScreenSettings>) => void;
};

export const ScreenFields = ({ settings, listed, nameError, onChange }: ScreenFieldsProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { name, branch_id, language, has_sound } = settings;
  const branches = listed.branches.map(({ id, name: names }) => ({ value: String(id), label: pick(names) }));
  return (
    <Stack gap="lg" className="screen-fields">
      <TextInput
        label={t("screens.name")}
        description={t("screens.nameHint")}
        size="md"
        maxLength={60}
        dir="auto"
        autoComplete="off"
        value={name}
        error={nameError}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {branches.length > 1 && (
        <NativeSelect
          label={t("screens.branch")}
          size="md"
          value={branch_id === null ? "" : String(branch_id)}
          data={[{ value: "", label: t("screens.allBranches") }, ...branches]}
          onChange={({ currentTarget: { value } }) => onChange({ branch_id: value === "" ? null : Number(value) })}
        />
      )}
      <StationChips chosen={settings.stations} offered={listed.stations} onChange={(stations) => onChange({ stations })} />
      <Input.Wrapper label={t("screens.language")} labelElement="div">
        <SegmentedControl
          fullWidth
          size="md"
          aria-label={t("screens.language")}
          value={language}
          data={LANGUAGES.map((value) => ({ value, label: t(`languages.${value}`) }))}
          onChange={(value) => onChange({ language: value === "ar" ? "ar" : "en" })}
        />
      </Input.Wrapper>
      <Switch
        size="lg"
        label={t("screens.sound")}
        description={t("screens.soundHint")}
        checked={has_sound}
        onChange={(event) => onChange({ has_sound: event.currentTarget.checked })}
      />
    </Stack>
  );
};

type StationChipsProps = { chosen: string[]; offered: string[]; onChange: (stations: string[]) => void };

/** A station that the menu no longer names stays until it is taken away. */
const StationChips = ({ chosen, offered, onChange }: StationChipsProps) => {
  const { t } = useTranslation();
  const label = useId();
  const stations = [...new Set([...offered, ...chosen])];
  if (stations.length === 0) return null;
  const description = chosen.length === 0 ? t("screens.stationsNone") : t("screens.stationsChosen", { count: chosen.length });
  return (
    <Input.Wrapper label={t("screens.stations")} labelElement="div" labelProps={{ id: label }} description={description}>
      <fieldset className="station-chips" aria-labelledby={label}>
        <Chip size="lg" checked={chosen.length === 0} onChange={() => onChange([])}>
          {t("screens.allStations")}
        </Chip>
        {stations.map((station) => (
          <Chip
            key={station}
            size="lg"
            checked={chosen.includes(station)}
            onChange={(isChosen) => onChange(isChosen ? [...chosen, station] : chosen.filter((one) => one !== station))}
          >
            <bdi>{station}</bdi>
          </Chip>
        ))}
      </fieldset>
    </Input.Wrapper>
  );
};
