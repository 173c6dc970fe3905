import type { GracePeriod } from "@comanda/contract/console/operation.ts";
import type { TokenRow } from "@comanda/contract/console/tokens.ts";
import { useTranslation } from "react-i18next";
import { call } from "../api.ts";
import { RotateDialog } from "../ui/rotate-dialog.tsx";
import type { CreatedToken } from "./new-token-modal.tsx";
import { useTokensChanged } from "./token-queries.ts";
import { useVenue } from "./venue.ts";

type RollTokenProps = { token: TokenRow | null; onClose: () => void; onRolled: (token: CreatedToken) => void };

export const RollToken = ({ token, onClose, onRolled }: RollTokenProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const tokensChanged = useTokensChanged(venue);
  const rotate = async (overlap: GracePeriod): Promise<void> => {
    if (!token) return;
    const { data } = await call("rollToken", { params: { venue, id: token.id }, body: { overlap } });
    onClose();
    onRolled({ token: data.token, scopes: token.scopes });
    await tokensChanged();
  };
  const texts = { lead: t("roll.lead"), overlap: t("roll.overlap"), nowWarning: t("roll.nowWarning"), submit: t("roll.submit") };
  const title = t("roll.title", { name: token?.name ?? "" });
  return <RotateDialog isOpen={token !== null} title={title} texts={texts} onRotate={rotate} onClose={onClose} />;
};
