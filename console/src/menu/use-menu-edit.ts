/** The draft of the menu, its save and what can be undone. */
import type { MenuPlan, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { useCallback, useMemo, useRef, useState } from "react";
import { hasErrorCode } from "../api.ts";
import { useToast } from "../ui/toast.ts";
import { bodyOfDraft, NO_MENU_FAULTS, readMenuFaults } from "./menu-body.ts";
import { countDraft, EMPTY_DRAFT, type MenuDraft, type MenuValues, type SubjectChoice, setValue, showPlan } from "./menu-draft.ts";
import { readMenuChanged, useSaveMenu } from "./menu-plan-query.ts";
import { rebaseDraft, reverseDraft } from "./menu-rebase.ts";
import { findGaps } from "./menu-view.ts";

/** What was done last, and the draft that takes it back. */
type LastStep = { kind: "saved" | "undone" | "discarded"; count: number; back: MenuDraft | null };

/** Rebased as soon as the menu was read again. */
const useDraft = (plan: MenuPlan) => {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [basis, setBasis] = useState(plan);
  if (basis !== plan) {
    setBasis(plan);
    setDraft(rebaseDraft(draft, plan));
  }
  return { draft, setDraft };
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

export const useMenuEdit = (venue: string, plan: MenuPlan) => {
  const toast = useToast();
  const { draft, setDraft } = useDraft(plan);
  const prices = useWrongPrices();
  const [faults, setFaults] = useState(NO_MENU_FAULTS);
  const [lostTo, setLostTo] = useState<{ who: string | null } | null>(null);
  const [last, setLast] = useState<LastStep | null>(null);
  /** Counts discards: fields forget what was typed. */
  const [round, setRound] = useState(0);
  const { mutate, isPending } = useSaveMenu(venue);
  const planNow = useRef(plan);
  planNow.current = plan;

  const change = useCallback(
    (step: (draft: MenuDraft, plan: MenuPlan) => MenuDraft): void => {
      setLast(null);
      setDraft((known) => step(known, planNow.current));
    },
    [setDraft],
  );
  const set = useCallback(
    <L extends OrderedList>(choice: SubjectChoice<L>, value: MenuValues[L] | null): void =>
      change((known, present) => setValue(known, present, choice, value)),
    [change],
  );
  const shown = useMemo(() => showPlan(plan, draft), [plan, draft]);
  const gaps = useMemo(() => findGaps(shown), [shown]);
  const begin = (next: MenuDraft): void => {
    setDraft(next);
    setFaults(NO_MENU_FAULTS);
    setLostTo(null);
  };
  const send = (wanted: MenuDraft, kind: "saved" | "undone"): void => {
    const body = bodyOfDraft(wanted);
    const before = plan;
    mutate(
      { body, idempotencyKey: crypto.randomUUID() },
      {
        onSuccess: (after) => {
          if (kind === "saved") begin(EMPTY_DRAFT);
          const back = kind === "saved" && after ? reverseDraft(before, after, wanted) : null;
          setLast({ kind, count: countDraft(wanted), back });
        },
        onError: (error) => {
          const lost = readMenuChanged(error);
          setLostTo(lost);
          setFaults(readMenuFaults(error, body));
          if (!lost && !hasErrorCode(error, "validation_failed")) toast.refusal(error);
        },
      },
    );
  };
  const count = countDraft(draft);
  const isBlocked = gaps.size > 0 || prices.wrong.size > 0;
  return {
    draft,
    shown,
    gaps,
    faults,
    lostTo,
    last,
    round,
    count,
    isPending,
    isBlocked,
    hasWrongPrices: prices.wrong.size > 0,
    markPrice: prices.mark,
    change,
    set,
    save: (): void => {
      if (count > 0 && !isBlocked && !isPending) send(draft, "saved");
    },
    discard: (): void => {
      setLast(count > 0 ? { kind: "discarded", count, back: draft } : null);
      begin(EMPTY_DRAFT);
      prices.clear();
      setRound(round + 1);
    },
    undo: (): void => {
      if (last?.back && last.kind === "discarded") {
        begin(rebaseDraft(last.back, plan));
        setLast(null);
      } else if (last?.back) send(last.back, "undone");
    },
  };
};
export type MenuEditing = ReturnType<typeof useMenuEdit>;
