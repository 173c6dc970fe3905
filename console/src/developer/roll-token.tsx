import type { TokenRow } from "@comanda/contract/console/tokens.ts";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { useWrite } from "#kit/write.ts";
import { RotateForm } from "#shell/rotate-form.tsx";
import { useVenue } from "#shell/venue.ts";
import type { CreatedToken } from "./new-token-modal.tsx";
import { tokensQuery } from "./token-queries.ts";

type RollTokenProps = { token: TokenRow | null; onClose: () => void; onRolled: (token: CreatedToken) => void };

export const RollToken = ({ token, onClose, onRolled }: RollTokenProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={token !== null} onClose={onClose} title={t("roll.title", { name: token?.name ?? "" })}>
      {token && <RollForm token={token} onClose={onClose} onRolled={onRolled} />}
    </Dialog>
  );
};

const RollForm = ({ token: { id, scopes }, onClose, onRolled }: RollTokenProps & { token: TokenRow }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const { write, ...sending } = useWrite<"rollToken">({
    readAgain: [tokensQuery(venue).queryKey],
    onDone: ({ data: { token } }) => onRolled({ token, scopes }),
    onClose,
    // The form says why.
    onRefused: () => undefined,
  });
  const texts = { lead: t("roll.lead"), overlap: t("roll.overlap"), nowWarning: t("roll.nowWarning"), submit: t("roll.submit") };
  return (
    <RotateForm
      texts={texts}
      {...sending}
      onRotate={(overlap) => write({ id: "rollToken", params: { venue, id }, body: { overlap } })}
      onClose={onClose}
    />
  );
};
