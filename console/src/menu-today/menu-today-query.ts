/** The data of the page, and its two writes. An answer, also a refused one, puts the present state into the page. */
import type { DishChange, DishToday, MenuToday, OptionChange, OptionToday } from "@comanda/contract/console/menu-today.ts";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CallError, call, isWorthRetrying } from "../api.ts";
import { pollUnlessStreaming } from "../change-stream.ts";
import { useLocalizedName } from "../ui/localized-name.ts";
import { useToast } from "../ui/toast.ts";
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

/** Takes over an answer, or explains why there is none. */
const useAnswers = (venue: string) => {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const toast = useToast();
  const pick = useLocalizedName();
  const describe = useStateText();
  const take = (written: Written): void =>
    void queryClient.setQueryData<MenuToday>(menuTodayQuery(venue).queryKey, (menu) => menu && merge(menu, written));
  const refuse = (error: Error): void => {
    if (!(error instanceof CallError) || error.code !== "state_changed") {
      toast.error(error);
      return;
    }
    const present = error.details as Written & { changed_by: string | null };
    take(present);
    const { name, state } = "dish" in present ? present.dish : present.option;
    const zone = queryClient.getQueryData<MenuToday>(menuTodayQuery(venue).queryKey)?.zone ?? "UTC";
    const said = { name: pick(name), state: describe(state, zone) };
    toast.note(
      present.changed_by === null ? t("menuToday.fasterUnknown", said) : t("menuToday.faster", { ...said, who: present.changed_by }),
    );
  };
  return { take, refuse };
};

type KeyedChange<Change> = { id: number; key: string; body: Change };

export const useSetDish = (venue: string) => {
  const { take, refuse } = useAnswers(venue);
  const { mutate, isPending } = useMutation({
    mutationFn: ({ id, key, body }: KeyedChange<DishChange>) => call("setDishToday", { params: { venue, id }, idempotencyKey: key, body }),
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: ({ data }) => take({ dish: data }),
    onError: refuse,
  });
  const set = ({ id, state }: DishToday, change: Omit<DishChange, "seen">): void =>
    mutate({ id, key: crypto.randomUUID(), body: { seen: state, ...change } });
  return { set, isPending };
};

export const useSetOption = (venue: string) => {
  const { take, refuse } = useAnswers(venue);
  const { mutate, isPending } = useMutation({
    mutationFn: ({ id, key, body }: KeyedChange<OptionChange>) =>
      call("setOptionToday", { params: { venue, id }, idempotencyKey: key, body }),
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: ({ data }) => take({ option: data }),
    onError: refuse,
  });
  const set = ({ id, state }: OptionToday, to: OptionChange["to"]): void =>
    mutate({ id, key: crypto.randomUUID(), body: { seen: state, to } });
  return { set, isPending };
};
