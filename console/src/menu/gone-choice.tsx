/** A colleague removed what was changed here: the person decides which of both counts. */
import type { OrderedList } from "@comanda/contract/console/menu-editor.ts";
import type { TFunction } from "i18next";
import { addAgain, dropEdit, type SubjectChoice } from "./menu-draft.ts";
import type { MenuEditing } from "./use-menu-edit.ts";

type GoneChoiceProps = { t: TFunction; name: string; choice: SubjectChoice<OrderedList>; change: MenuEditing["change"] };

export const GoneChoice = ({ t, name, choice, change }: GoneChoiceProps) => (
  <span className="menu-part-buttons">
    <button
      type="button"
      className="menu-button"
      aria-label={`${t("menuEditor.addAgain")}: ${name}`}
      onClick={() => change((draft) => addAgain(draft, choice))}
    >
      {t("menuEditor.addAgain")}
    </button>
    <button
      type="button"
      className="menu-button"
      aria-label={`${t("menuEditor.leaveRemoved")}: ${name}`}
      onClick={() => change((draft) => dropEdit(draft, choice))}
    >
      {t("menuEditor.leaveRemoved")}
    </button>
  </span>
);
