/** The data of the page, and its two writes. An answer, also a refused one, puts the present state into the page. */
import type { DishChange, DishToday, MenuToday, OptionChange, OptionToday } from "@comanda/contract/console/menu-today.ts";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { type Changed, useWrite } from "#kit/write.ts";
import { pollUnlessStreaming } from "#shell/change-stream.ts";
import { useStateText } from "./state-text.ts";

const POLL_EVERY_MS = 8000;

export const menuTodayQuery = (venue: string) =>
  queryOptions({
    queryKey: ["menu-today", venue],
    queryFn: async () => (await call("readMenuToday", { params: { venue } })).data,
    staleTime: 0,
    refetchInterval: () => pollUnlessStreaming(POLL_EVERY_MS),
  });

type Written = { dish: DishToday } | { option: OptionToday };

const replace = <T extends { id: number }>(rows: T[], written: T): T[] => rows.map((row) => (row.id === written.id ? written : row));

const merge = (menu: MenuToday, written: Written): MenuToday =>
  "dish" in written ? { ...menu, dishes: replace(menu.dishes, written.dish) } : { ...menu, options: replace(menu.options, written.option) };

/** Takes over an answer. When another person was faster, it is said what the dish or option is now. */
const useAnswers = (venue: string) => {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const pick = useLocalizedName();
  const describe = useStateText();
  const { queryKey } = menuTodayQuery(venue);
  const take = (written: Written): void => void queryClient.setQueryData(queryKey, (menu) => menu && merge(menu, written));
  const onChanged = (changed: Changed): string => {
    const present: Written = changed as Changed & Written;
    take(present);
    const { name, state } = "dish" in present ? present.dish : present.option;
    const said = { name: pick(name), state: describe(state, queryClient.getQueryData(queryKey)?.zone ?? "UTC") };
    const { changed_by: who } = changed;
    return who === null ? t("menuToday.fasterUnknown", said) : t("menuToday.faster", { ...said, who });
  };
  return { take, onChanged };
};

export const useSetDish = (venue: string) => {
  const { take, onChanged } = useAnswers(venue);
  const { write, isPending } = useWrite<"setDishToday">({ onDone: ({ data }) => take({ dish: data }), onChanged });
  const set = ({ id, state }: DishToday, change: Omit<DishChange, "seen">): void =>
    write({ id: "setDishToday", params: { venue, id }, body: { seen: state, ...change } });
  return { set, isPending };
};

export const useSetOption = (venue: string) => {
  const { take, onChanged } = useAnswers(venue);
  const { write, isPending } = useWrite<"setOptionToday">({ onDone: ({ data }) => take({ option: data }), onChanged });
  const set = ({ id, state }: OptionToday, to: OptionChange["to"]): void =>
    write({ id: "setOptionToday", params: { venue, id }, body: { seen: state, to } });
  return { set, isPending };
};
