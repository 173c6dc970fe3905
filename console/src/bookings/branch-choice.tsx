/** Where a party is to sit, in a venue with several branches of which none was chosen on the page. */
import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useBookingContext } from "./booking-context.ts";

type ChosenBranch = { branch: number | null; isAsked: boolean; choose: (branch: number) => void };

export const useBranch = (ofPage: number | null): ChosenBranch => {
  const { branches } = useBookingContext();
  const [chosen, choose] = useState(branches[0]?.id ?? null);
  const isAsked = ofPage === null && branches.length > 1;
  return { branch: isAsked ? chosen : ofPage, isAsked, choose };
};

export const BranchChoice = ({ branch, isAsked, choose }: ChosenBranch) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { branches } = useBookingContext();
  const pick = useLocalizedName();
  if (!isAsked) return null;
  return (
    <NativeSelect
      size="md"
      label={t("branch")}
      data={branches.map(({ id, name }) => ({ value: String(id), label: pick(name) }))}
      value={String(branch)}
      onChange={({ currentTarget: { value } }) => choose(Number(value))}
    />
  );
};
