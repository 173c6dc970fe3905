/** Whether owners and managers must have a second factor, and who has none. */
import type { Team } from "@comanda/contract/console/team.ts";
import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useSession } from "#shell/session.ts";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import { teamQuery } from "./team-query.ts";

export const FactorRuleCard = ({ team }: { team: Team }) => {
  const { t } = useTranslation();
  const isOwner = useIsOwner();
  return (
    <section className="sheet card team-rule" aria-labelledby="team-rule">
      <Stack gap="md">
        <div>
          <h2 className="item-title" id="team-rule">
            {t("team.rule.title")}
          </h2>
          <Text size="sm" c="dimmed" mt={2}>
            {t("team.rule.lead")}
          </Text>
        </div>
        {isOwner ? <RuleSwitch isRequired={team.is_second_factor_required} /> : <RuleText isRequired={team.is_second_factor_required} />}
        <WithoutFactor team={team} />
      </Stack>
    </section>
  );
};

const RuleText = ({ isRequired }: { isRequired: boolean }) => {
  const { t } = useTranslation();
  return (
    <Text>
      {t(isRequired ? "team.rule.on" : "team.rule.off")} {t("team.rule.onlyOwner")}
    </Text>
  );
};

const useRule = (isRequired: boolean) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"requireSecondFactor">({
    readAgain: [teamQuery(venue).queryKey],
    onDone: (_answer, { body }) => toast.done(t(body.is_required ? "team.rule.turnedOn" : "team.rule.turnedOff")),
  });
  const change = (): void =>
    write({ id: "requireSecondFactor", params: { venue }, body: { seen_is_required: isRequired, is_required: !isRequired } });
  return { change, isPending };
};

const RuleSwitch = ({ isRequired }: { isRequired: boolean }) => {
  const { t } = useTranslation();
  const { person } = useSession();
  const { change, isPending } = useRule(isRequired);
  const isOwnMissing = !person.has_second_factor && !isRequired;
  return (
    <Stack gap="sm">
      <Switch
        size="lg"
        className="team-rule-switch"
        label={t("team.rule.label")}
        {...(isOwnMissing ? { description: t("team.rule.ownFirst") } : {})}
        checked={isPending ? !isRequired : isRequired}
        disabled={isOwnMissing || isPending}
        onChange={change}
      />
      {isOwnMissing && (
        <Group>
          <Button variant="default" size="md" renderRoot={(props) => <Link to="/account" hash="factor" {...props} />}>
            {t("team.session.toAccount")}
          </Button>
        </Group>
      )}
    </Stack>
  );
};

const WithoutFactor = ({ team: { members, is_second_factor_required } }: { team: Team }) => {
  const { t } = useTranslation();
  const without = members.filter(({ role, has_second_factor }) => role !== "staff" && has_second_factor === false);
  const count = without.length;
  if (count === 0)
    return (
      <Text size="sm" c="dimmed">
        {t("team.rule.allHave")}
      </Text>
    );
  return (
    <div>
      <Text size="sm">{t(is_second_factor_required ? "team.rule.missing" : "team.rule.wouldMiss", { count })}</Text>
      <ul className="team-without">
        {without.map(({ id, name }) => (
          <li key={id}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
};
