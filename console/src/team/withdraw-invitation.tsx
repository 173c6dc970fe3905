/** Withdraws an invitation that was not accepted. */
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { teamQuery } from "./team-query.ts";

export const WithdrawInvitation = ({ member, onClose }: { member: TeamMember | null; onClose: () => void }) =>
  member && <Withdrawal member={member} onClose={onClose} />;

const Withdrawal = ({ member: { id, name, email }, onClose }: { member: TeamMember; onClose: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const withdrawn = (): void => {
    onClose();
    toast.done(t("team.invite.withdrawn", { name }));
  };
  const { write, isPending } = useWrite<"withdrawInvitation">({
    readAgain: [teamQuery(venue).queryKey],
    onDone: withdrawn,
    onChanged: () => {
      onClose();
      return t("team.invite.accepted", { name });
    },
    onRefused: (error) => {
      // A colleague was faster.
      if (hasErrorCode(error, "not_found")) return withdrawn();
      onClose();
      toast.error(error);
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={t("team.invite.withdrawTitle", { name })}
      lead={t("team.invite.withdrawLead", { email })}
      action={t("team.invite.withdraw")}
      isPending={isPending}
      onConfirm={() => write({ id: "withdrawInvitation", params: { venue, id }, body: {} })}
      onClose={onClose}
    />
  );
};
