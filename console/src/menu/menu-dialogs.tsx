/** The dialogs of the menu. They load when the first of them is opened. */
import type { MenuPlan, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { NativeSelect } from "@mantine/core";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { OFFERED_LANGUAGES } from "#kit/code-names.ts";
import { SideDialog } from "#kit/dialog.tsx";
import { languageName } from "#kit/translation-fields.tsx";
import { lazyPart } from "#shell/offline.tsx";
import { PageLoading } from "#shell/page-states.tsx";
import { DishForm } from "./dish-form.tsx";
import { GroupForm } from "./group-form.tsx";
import { HappyHourForm } from "./happy-hour-form.tsx";
import type { OpenMenuDialog } from "./menu-view.ts";
import { languagesOf, type MenuPlace } from "./menu-view.ts";
import { PasteTool } from "./paste-tool.tsx";
import { CategoryForm, MenuForm } from "./place-forms.tsx";
import { PriceTool } from "./price-tool.tsx";
import type { MenuEditing } from "./use-menu-edit.ts";

type MenuDialogsProps = { venue: string; plan: MenuPlan; edit: MenuEditing; open: OpenMenuDialog; place: MenuPlace; onClose: () => void };

/** These load when they are first opened: the history needs the texts of the activity log. */
const PreviewTool = lazyPart(() => import("./preview-tool.tsx"), "PreviewTool");
const PlannedTool = lazyPart(() => import("./planned-tool.tsx"), "PlannedTool");
const HistoryTool = lazyPart(() => import("./history-tool.tsx"), "HistoryTool");

const Tool = ({ venue, plan, edit, open, place, onClose }: MenuDialogsProps) => {
  if (!("tool" in open)) return <SubjectForm plan={plan} edit={edit} list={open.list} subjectKey={open.key} onClose={onClose} />;
  if (open.tool === "prices") return <PriceTool edit={edit} keys={open.keys} currency={plan.currency} onClose={onClose} />;
  if (open.tool === "planned") return <PlannedTool venue={venue} plan={plan} keys={open.keys} />;
  if (open.tool === "preview") return <PreviewTool venue={venue} plan={plan} unsaved={edit.count} />;
  if (open.tool === "history") return <HistoryTool venue={venue} plan={plan} />;
  return <PasteTool plan={plan} edit={edit} place={place} onClose={onClose} />;
};

export const MenuDialogs = (props: MenuDialogsProps) => {
  const { open, onClose } = props;
  const { t } = useTranslation();
  const title = "tool" in open ? t(`menuEditor.tools.${open.tool}`) : t(`menuEditor.forms.${open.list}`);
  return (
    <SideDialog isOpen title={title} size="lg" onClose={onClose}>
      <Suspense fallback={<PageLoading />}>
        <Tool {...props} />
      </Suspense>
    </SideDialog>
  );
};

type MenuFormsProps = { plan: MenuPlan; edit: MenuEditing; list: OrderedList; subjectKey: string; onClose: () => void };

const SubjectForm = ({ plan, edit, list, subjectKey, onClose }: MenuFormsProps) => {
  const { t } = useTranslation();
  const [added, setAdded] = useState<readonly string[]>([]);
  const languages = [...new Set([...languagesOf(plan), ...added])];
  const shared = { edit, languages, currency: plan.currency, onClose };
  const find = <T extends { key: string }>(subjects: readonly T[]): T | undefined => subjects.find(({ key }) => key === subjectKey);
  const { menus, categories, items, modifier_groups, happy_hours } = edit.shown;
  const [menu, category, dish, group, hour] = [find(menus), find(categories), find(items), find(modifier_groups), find(happy_hours)];
  return (
    <>
      {list === "menus" && menu && <MenuForm {...shared} subject={menu} />}
      {list === "categories" && category && <CategoryForm {...shared} subject={category} />}
      {list === "items" && dish && <DishForm {...shared} subject={dish} taxes={plan.taxes} />}
      {list === "modifier_groups" && group && <GroupForm {...shared} subject={group} />}
      {list === "happy_hours" && hour && <HappyHourForm {...shared} subject={hour} />}
      <NativeSelect
        mt="md"
        size="md"
        label={t("menuEditor.addLanguage")}
        value=""
        data={[
          { value: "", label: t("menuEditor.chooseLanguage") },
          ...OFFERED_LANGUAGES.filter((code) => !languages.includes(code)).map((code) => ({ value: code, label: languageName(code) })),
        ]}
        onChange={({ currentTarget: { value } }) => value !== "" && setAdded([...added, value])}
      />
    </>
  );
};
