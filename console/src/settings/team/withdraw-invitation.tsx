/** Withdraws an invitation that was not accepted. */
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call, hasErrorCode } from "../../api.ts";
import { useVenue } from "../../developer/venue.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useToast } from "../../ui/toast.ts";
import { useTeamChanged } from "./team-query.ts";

export const WithdrawInvitation = ({ member, onClose }: { member: TeamMember | null; onClose: () => void }) =>
  member && <Withdrawal member={member} onClose={onClose} />;

const Withdrawal = ({ member: { id, name, email }, onClose }: { member: TeamMember; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const teamChanged = useTeamChanged(venue);
  const withdrawn = (): void => {
    onClose();
    toast.done(t("team.invite.withdrawn", { name }));
  };
  const withdrawal = useMutation({
    mutationFn: () => call("withdrawInvitation", { params: { venue, id }, body: {} }),
    onSuccess: withdrawn,
    onError: (error) => {
      // The answer to an earlier press was lost, or a colleague was faster.
      if (hasErrorCode(error, "not_found")) return withdrawn();
      onClose();
      if (hasErrorCode(error, "state_changed")) toast.note(t("team.invite.accepted", { name }));
      else toast.error(error);
    },
    onSettled: teamChanged,
  });
  return (
    <ConfirmDialog
      isOpen
      title={t("team.invite.withdrawTitle", { name })}
      lead={t("team.invite.withdrawLead", { email })}
      action={t("team.invite.withdraw")}
      isPending={withdrawal.isPending}
      onConfirm={() => withdrawal.mutate()}
      onClose={onClose}
    />
  );
};
