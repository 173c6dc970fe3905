/** The draft of the menu, its save and what can be undone. */
import type { MenuPlan, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { hasErrorCode } from "#kit/api.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { bodyOfDraft, NO_MENU_FAULTS, readMenuFaults } from "./menu-body.ts";
import { countDraft, EMPTY_DRAFT, type MenuDraft, type MenuValues, type SubjectChoice, setValue, showPlan } from "./menu-draft.ts";
import { menuPlanQuery } from "./menu-plan-query.ts";
import { rebaseDraft, reverseDraft } from "./menu-rebase.ts";
import { findGaps } from "./menu-view.ts";

/** What was done last, and the draft that takes it back. */
type LastStep = { kind: "saved" | "undone" | "discarded"; count: number; back: MenuDraft | null };

/** Rebased as soon as the menu was read again. The functions are the same in every render, so that rows are not drawn again. */
const useDraft = (plan: MenuPlan) => {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [last, setLast] = useState<LastStep | null>(null);
  const [basis, setBasis] = useState(plan);
  if (basis !== plan) {
    setBasis(plan);
    setDraft(rebaseDraft(draft, plan));
  }
  const planNow = useRef(plan);
  planNow.current = plan;
  const change = useCallback((step: (draft: MenuDraft, plan: MenuPlan) => MenuDraft): void => {
    setLast(null);
    setDraft((known) => step(known, planNow.current));
  }, []);
  const set = useCallback(
    <L extends OrderedList>(choice: SubjectChoice<L>, value: MenuValues[L] | null): void =>
      change((known, present) => setValue(known, present, choice, value)),
    [change],
  );
  const shown = useMemo(() => showPlan(plan, draft), [plan, draft]);
  const gaps = useMemo(() => findGaps(shown), [shown]);
  return { draft, setDraft, last, setLast, shown, gaps, change, set };
};

/** Price fields whose text is no price. They are not part of the draft, and must not be lost by a save. */
const useWrongPrices = () => {
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const mark = useCallback((field: string, isWrong: boolean): void => {
    setWrong((known) => {
      if (known.has(field) === isWrong) return known;
      const next = new Set(known);
      if (isWrong) next.add(field);
      else next.delete(field);
      return next;
    });
  }, []);
  return { wrong, mark, clear: () => setWrong(new Set()) };
};

/** Sends drafts. What the server refuses is kept until the next save. */
const useSending = (venue: string, plan: MenuPlan, onDone: (step: LastStep) => void) => {
  const toast = useToast();
  const [faults, setFaults] = useState(NO_MENU_FAULTS);
  const [lostTo, setLostTo] = useState<{ who: string | null } | null>(null);
  const [isPending, setPending] = useState(false);
  const queryClient = useQueryClient();
  const { queryKey } = menuPlanQuery(venue);
  const { writeAndWait } = useWrite<"saveMenu">({
    onChanged: ({ changed_by: who }) => {
      void queryClient.invalidateQueries({ queryKey });
      setLostTo({ who });
      setFaults(NO_MENU_FAULTS);
      return null;
    },
    onRefused: (error, { body }) => {
      setLostTo(null);
      setFaults(readMenuFaults(error, body));
      if (!hasErrorCode(error, "validation_failed")) toast.refusal(error);
    },
  });
  const clear = (): void => {
    setFaults(NO_MENU_FAULTS);
    setLostTo(null);
  };
  /** The menu is read again before the save counts as done. */
  const send = async (wanted: MenuDraft, kind: "saved" | "undone"): Promise<void> => {
    setPending(true);
    const answer = await writeAndWait({ id: "saveMenu", params: { venue }, body: bodyOfDraft(wanted) });
    if (answer !== null) {
      await queryClient.invalidateQueries({ queryKey });
      const after = queryClient.getQueryData(queryKey);
      clear();
      onDone({ kind, count: countDraft(wanted), back: kind === "saved" && after ? reverseDraft(plan, after, wanted) : null });
    }
    setPending(false);
  };
  return { faults, lostTo, isPending, send, clear };
};

export const useMenuEdit = (venue: string, plan: MenuPlan) => {
  const { setDraft, setLast, ...editing } = useDraft(plan);
  const { draft, last, gaps } = editing;
  const { wrong, mark, clear: clearPrices } = useWrongPrices();
  /** Counts discards: fields drop what was typed. */
  const [round, setRound] = useState(0);
  const { send, clear, ...sending } = useSending(venue, plan, (step) => {
    if (step.kind === "saved") setDraft(EMPTY_DRAFT);
    setLast(step);
  });
  const count = countDraft(draft);
  const isBlocked = gaps.size > 0 || wrong.size > 0;
  return {
    ...editing,
    ...sending,
    round,
    count,
    isBlocked,
    hasWrongPrices: wrong.size > 0,
    markPrice: mark,
    save: (): void => {
      if (count > 0 && !isBlocked && !sending.isPending) void send(draft, "saved");
    },
    discard: (): void => {
      setLast(count > 0 ? { kind: "discarded", count, back: draft } : null);
      setDraft(EMPTY_DRAFT);
      clear();
      clearPrices();
      setRound(round + 1);
    },
    undo: (): void => {
      if (last?.back && last.kind === "discarded") {
        setDraft(rebaseDraft(last.back, plan));
        setLast(null);
      } else if (last?.back) void send(last.back, "undone");
    },
  };
};
export type MenuEditing = ReturnType<typeof useMenuEdit>;
