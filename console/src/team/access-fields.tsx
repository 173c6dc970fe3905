/** A choice about the access that a person set up, when the person leaves or gets a lower role. */
import type { MemberRemovalOrder, TeamMember } from "@comanda/contract/console/team.ts";
import { Group, Radio } from "@mantine/core";
import { useTranslation } from "react-i18next";

type KeepOrEndChoice = MemberRemovalOrder["screens"];

/** Null: not yet decided. */
export type ChosenAccess = { screens: KeepOrEndChoice | null; tokens: KeepOrEndChoice | null };
export type DecidedAccess = { screens: KeepOrEndChoice; tokens: KeepOrEndChoice };

const asksScreens = ({ screens }: TeamMember): boolean => screens > 0;
/** The count has neither apps and webhook addresses nor the sandbox's token. */
const asksTokens = ({ is_accepted, tokens, role }: TeamMember): boolean => is_accepted && (tokens > 0 || role !== "staff");

/** Nothing is chosen before: a token that works on and a website that stops are both a surprise. */
export const undecidedAccess = (member: TeamMember): ChosenAccess => ({
  screens: asksScreens(member) ? null : "end",
  tokens: asksTokens(member) ? null : "end",
});

export const decidedAccess = ({ screens, tokens }: ChosenAccess): DecidedAccess | null =>
  screens === null || tokens === null ? null : { screens, tokens };

type AccessFieldsProps = { member: TeamMember; choice: ChosenAccess; onChange: (choice: ChosenAccess) => void };

export const AccessFields = ({ member, choice, onChange }: AccessFieldsProps) => {
  const { t } = useTranslation();
  const { name } = member;
  return (
    <>
      {asksScreens(member) && (
        <KeepOrEnd
          label={t("team.remove.screens", { count: member.screens, name })}
          hint={t("team.remove.screensHint")}
          value={choice.screens}
          onChange={(screens) => onChange({ ...choice, screens })}
        />
      )}
      {asksTokens(member) && (
        <KeepOrEnd
          label={t("team.remove.tokens", { count: member.tokens, name })}
          hint={t("team.remove.tokensHint")}
          value={choice.tokens}
          onChange={(tokens) => onChange({ ...choice, tokens })}
        />
      )}
    </>
  );
};

type KeepOrEndProps = { label: string; hint: string; value: KeepOrEndChoice | null; onChange: (choice: KeepOrEndChoice) => void };

const KeepOrEnd = ({ label, hint, value, onChange }: KeepOrEndProps) => {
  const { t } = useTranslation();
  return (
    <Radio.Group
      className="inset"
      label={label}
      description={hint}
      value={value}
      onChange={(chosen) => onChange(chosen === "keep" ? "keep" : "end")}
    >
      <Group gap="lg" mt="xs">
        <Radio value="keep" size="md" className="role-choice" label={t("team.remove.keep")} />
        <Radio value="end" size="md" className="role-choice" label={t("team.remove.end")} />
      </Group>
    </Radio.Group>
  );
};
