/** Removes a person from the team, and decides what happens to what the person set up. */
import type { MemberRemovalOrder, TeamMember } from "@comanda/contract/console/team.ts";
import { Button, Group, Radio, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call, hasErrorCode } from "../../api.ts";
import { useVenue, useVenueName } from "../../developer/venue.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { useToast } from "../../ui/toast.ts";
import { RoleError } from "./change-role.tsx";
import { useTeamChanged } from "./team-query.ts";

export const RemoveMember = ({ member, onClose }: { member: TeamMember | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenueName();
  return (
    <Dialog isOpen={member !== null} onClose={onClose} title={t("team.remove.title", { name: member?.name ?? "", venue })}>
      {member && <Removal member={member} onClose={onClose} />}
    </Dialog>
  );
};

type KeepOrEndChoice = MemberRemovalOrder["screens"];

const useRemoval = ({ id, name, role: seen_role }: TeamMember, onClose: () => void) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const teamChanged = useTeamChanged(venue);
  return useMutation({
    mutationFn: (order: { screens: KeepOrEndChoice; tokens: KeepOrEndChoice }) =>
      call("removeMember", { params: { venue, id }, body: { seen_role, ...order } }),
    onSuccess: () => {
      onClose();
      toast.done(t("team.remove.done", { name }));
    },
    onError: (error) => {
      if (!hasErrorCode(error, "state_changed")) return;
      onClose();
      toast.note(t("team.changedMeanwhile", { name }));
    },
    onSettled: teamChanged,
  });
};

/** Nothing is chosen before: a token that works on and a website that stops are both a surprise. */
const Removal = ({ member, onClose }: { member: TeamMember; onClose: () => void }) => {
  const { t } = useTranslation();
  const { name, screens: screenCount, tokens: tokenCount, shifts, is_accepted, role } = member;
  const asksTokens = is_accepted && (tokenCount > 0 || role !== "staff");
  const [screens, setScreens] = useState<KeepOrEndChoice | null>(screenCount > 0 ? null : "end");
  const [tokens, setTokens] = useState<KeepOrEndChoice | null>(asksTokens ? null : "end");
  const removal = useRemoval(member, onClose);
  const isDecided = screens !== null && tokens !== null;
  return (
    <Stack gap="md">
      <Text c="dimmed">{t(is_accepted ? "team.remove.lead" : "team.remove.pendingLead", { name })}</Text>
      {shifts > 0 && <Text>{t("team.remove.shifts", { count: shifts })}</Text>}
      {screenCount > 0 && (
        <KeepOrEnd
          label={t("team.remove.screens", { count: screenCount, name })}
          hint={t("team.remove.screensHint")}
          value={screens}
          onChange={setScreens}
        />
      )}
      {asksTokens && (
        <KeepOrEnd
          label={t("team.remove.tokens", { count: tokenCount, name })}
          hint={t("team.remove.tokensHint")}
          value={tokens}
          onChange={setTokens}
        />
      )}
      {removal.error && <RoleError error={removal.error} />}
      <Group justify="flex-end" gap="sm">
        {!isDecided && (
          <Text size="sm" c="dimmed" className="grow">
            {t("team.remove.choose")}
          </Text>
        )}
        <Button variant="default" size="md" onClick={onClose} data-autofocus>
          {t("common.cancel")}
        </Button>
        <Button
          color="red.9"
          size="md"
          loading={removal.isPending}
          disabled={!isDecided}
          onClick={() => isDecided && removal.mutate({ screens, tokens })}
        >
          {t("team.remove.submit")}
        </Button>
      </Group>
    </Stack>
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
