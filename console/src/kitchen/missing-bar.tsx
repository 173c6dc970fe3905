/** Says that the venue no longer has what the screen is set to: the display is current, and still new tickets do not appear on it. */
import type { MissingParts } from "@comanda/contract/console/kitchen.ts";
import { useTranslation } from "react-i18next";
import { WarningIcon } from "#kit/icons.tsx";

export const MissingBar = ({ missing: { stations, is_branch_missing: isBranchMissing } }: { missing: MissingParts }) => {
  const { t } = useTranslation();
  if (stations.length === 0 && !isBranchMissing) return null;
  return (
    <div className="kd-bar kd-bar-lost">
      <WarningIcon size={32} />
      <span role="alert">
        {isBranchMissing && <span>{t("kitchen.branchMissing")} </span>}
        {stations.length > 0 && (
          <span>
            {t("kitchen.stationsMissing", { count: stations.length })} <bdi>{stations.join(" · ")}</bdi>.{" "}
          </span>
        )}
        <span>{t("kitchen.changeScreen")}</span>
      </span>
    </div>
  );
};
