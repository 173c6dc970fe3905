/** Choice of language and colours. */
import { type MantineColorScheme, Menu, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CheckIcon, GlobeIcon, SunIcon } from "#kit/icons.tsx";
import { changeLanguage, currentLanguage, LANGUAGES } from "#kit/language.ts";

const COLOURS: MantineColorScheme[] = ["light", "dark", "auto"];

const Choice = ({ icon, label, value, children }: { icon: ReactNode; label: string; value: string; children: ReactNode }) => (
  <Menu position="top" withinPortal>
    <Menu.Target>
      <UnstyledButton className="quiet-button" aria-label={`${label}: ${value}`}>
        {icon}
        <span>{value}</span>
      </UnstyledButton>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);

export const LanguageItems = () => {
  const { t } = useTranslation();
  return (
    <Menu.RadioGroup value={currentLanguage()} onChange={(value) => void changeLanguage(value === "ar" ? "ar" : "en")}>
      {LANGUAGES.map((language) => (
        <Menu.RadioItem key={language} value={language} lang={language} checkIcon={<CheckIcon size={16} />}>
          {t(`languages.${language}`)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
};

export const ColoursItems = () => {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
      {COLOURS.map((colours) => (
        <Menu.RadioItem key={colours} value={colours} checkIcon={<CheckIcon size={16} />}>
          {t(`colours.${colours}`)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
};

export const LanguageChoice = () => {
  const { t } = useTranslation();
  return (
    <Choice icon={<GlobeIcon size={16} />} label={t("common.language")} value={t(`languages.${currentLanguage()}`)}>
      <LanguageItems />
    </Choice>
  );
};

export const ColoursChoice = () => {
  const { t } = useTranslation();
  const { colorScheme } = useMantineColorScheme();
  return (
    <Choice icon={<SunIcon size={16} />} label={t("colours.label")} value={t(`colours.${colorScheme}`)}>
      <ColoursItems />
    </Choice>
  );
};
