/** Menu: all dishes with their prices, changed as a draft and saved together. */
import "./menu.css";
import "./menu-tools.css";
import type { MenuPlan, OrderedList } from "@comanda/contract/console/menu-editor.ts";
import { Alert, Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CalendarIcon, ClockIcon, DeviceIcon, WarningIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { lazyPart } from "#shell/offline.tsx";
import { Page } from "#shell/page.tsx";
import { usePageKeys } from "#shell/page-keys.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { DishPane } from "./dish-pane.tsx";
import { dropEdit, newMenuKey } from "./menu-draft.ts";
import { menuPlanQuery } from "./menu-plan-query.ts";
import { MenuSaveBar } from "./menu-save-bar.tsx";
import { MenuTree } from "./menu-tree.tsx";
import type { OpenMenuDialog } from "./menu-view.ts";
import { EVERYTHING, hasText, type MenuPlace } from "./menu-view.ts";
import { KEY_KINDS, newValue } from "./new-values.ts";
import { SubjectRows } from "./subject-rows.tsx";
import { enMenu } from "./texts.en.ts";
import { enMenuTools } from "./texts-tools.en.ts";
import { type MenuEditing, useMenuEdit } from "./use-menu-edit.ts";

/** What concerns the whole menu: what guests see at a moment, prices to come, and what was changed. */
const ToolButtons = ({ onOpen }: { onOpen: (open: OpenMenuDialog) => void }) => {
  const { t } = useTranslation();
  return (
    <Group gap="sm" className="menu-toolbar">
      <Button size="md" variant="default" leftSection={<DeviceIcon size={18} />} onClick={() => onOpen({ tool: "preview" })}>
        {t("menuEditor.tools.preview")}
      </Button>
      <Button size="md" variant="default" leftSection={<CalendarIcon size={18} />} onClick={() => onOpen({ tool: "planned", keys: [] })}>
        {t("menuEditor.tools.planned")}
      </Button>
      <Button size="md" variant="default" leftSection={<ClockIcon size={18} />} onClick={() => onOpen({ tool: "history" })}>
        {t("menuEditor.tools.history")}
      </Button>
    </Group>
  );
};

addEnglishTexts(enMenu);
addEnglishTexts(enMenuTools);

const MenuDialogs = lazyPart(() => import("./menu-dialogs.tsx"), "MenuDialogs");

export const MenuPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("menuEditor.title")} lead="venues.menuOnly">
      <MenuOfVenue />
    </RoleGuard>
  );
};

const MenuOfVenue = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const plan = useQuery(menuPlanQuery(venue));
  return (
    <Page title={t("menuEditor.title")} name={t("menuEditor.title")} lead={t("menuEditor.lead")}>
      {plan.isPending && <Skeleton height={480} radius="lg" role="status" aria-label={t("common.loading")} />}
      {plan.error && !plan.data && <ErrorAlert error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data && <MenuEditor key={venue} venue={venue} plan={plan.data} />}
    </Page>
  );
};

/** The open dialog. A new subject that got no name is dropped when its dialog closes. */
const useDialog = (edit: MenuEditing, place: MenuPlace) => {
  const [open, setOpen] = useState<OpenMenuDialog | null>(null);
  const add = (list: OrderedList): void => {
    const choice = { list, key: newMenuKey(KEY_KINDS[list]) };
    edit.set(choice, newValue(list, edit.shown, place));
    setOpen(choice);
  };
  const close = (): void => {
    setOpen(null);
    if (open === null || "tool" in open) return;
    const subject = edit.shown[open.list].find(({ key }) => key === open.key);
    if (subject?.state === "new" && !hasText(subject.value.name)) edit.change((draft) => dropEdit(draft, open));
  };
  // The function is one for every render, so that the list is not drawn again.
  const addNow = useRef(add);
  addNow.current = add;
  const onAdd = useCallback((list: OrderedList): void => addNow.current(list), []);
  return { open, setOpen, onAdd, close };
};

const useMenuKeys = (): void => {
  const { t } = useTranslation();
  const keys = useMemo(
    () => [
      { keys: ["Ctrl", "S"], label: t("menuEditor.keysSave") },
      { keys: ["Alt", "↑", "↓"], label: t("menuEditor.keysMove") },
      { keys: ["Enter"], label: t("menuEditor.keysNext") },
      { keys: ["Ctrl", "V"], label: t("menuEditor.keysPaste") },
    ],
    [t],
  );
  usePageKeys(keys);
};

const MenuEditor = ({ venue, plan }: { venue: string; plan: MenuPlan }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const edit = useMenuEdit(venue, plan);
  const [place, setPlace] = useState<MenuPlace>(EVERYTHING);
  const { open, setOpen, onAdd, close } = useDialog(edit, place);
  // A key is drawn in its field at once; the list follows when the browser has time for it.
  const listed = useDeferredValue(edit);
  useMenuKeys();
  const openDish = useCallback((key: string) => setOpen({ list: "items", key }), [setOpen]);
  const texts = { t, pick };
  return (
    <>
      {edit.lostTo && (
        <Alert color="orange" icon={<WarningIcon />} role="alert">
          {edit.lostTo.who === null ? t("menuEditor.fasterUnknown") : t("menuEditor.faster", { who: edit.lostTo.who })}
        </Alert>
      )}
      {edit.faults.others.length > 0 && (
        <Alert color="red" icon={<WarningIcon />} role="alert">
          {edit.faults.others.join(" ")}
        </Alert>
      )}
      <div className="menu-editor" inert={edit.isPending}>
        <MenuTree {...texts} edit={listed} place={place} onPlace={setPlace} onAdd={onAdd} />
        <Stack gap="md" className="menu-main">
          <ToolButtons onOpen={setOpen} />
          {place.kind === "groups" || place.kind === "hours" ? (
            <SubjectRows
              {...texts}
              edit={edit}
              list={place.kind === "groups" ? "modifier_groups" : "happy_hours"}
              currency={plan.currency}
              onOpen={setOpen}
              onAdd={onAdd}
            />
          ) : (
            <DishPane {...texts} plan={plan} edit={listed} place={place} onOpenDish={openDish} onOpen={setOpen} onAdd={onAdd} />
          )}
        </Stack>
      </div>
      <Text className="menu-hidden" role="status">
        {edit.isPending ? t("common.loading") : ""}
      </Text>
      <MenuSaveBar edit={edit} />
      {open && (
        <Suspense fallback={null}>
          <MenuDialogs venue={venue} plan={plan} edit={edit} open={open} place={place} onClose={close} />
        </Suspense>
      )}
    </>
  );
};
