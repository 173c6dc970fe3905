/** Stock: what is there of each ingredient. Staff count; managers also deliver, waste and keep the ingredients. */
import "./stock.css";
import type { StockLevel, StockSheet } from "@comanda/contract/console/stock.ts";
import { Button, Group, NativeSelect, Skeleton, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { BoxIcon, SearchIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useRole, useVenue } from "#shell/venue.ts";
import { CountDialog } from "./count-dialog.tsx";
import { IngredientDialog } from "./ingredient-dialog.tsx";
import { LevelMarks, Quantity } from "./level-texts.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { stockQuery } from "./stock-queries.ts";
import { enStock } from "./texts.en.ts";

addEnglishTexts(enStock);

export const StockPage = () => {
  const { t } = useTranslation();
  const [branch, setBranch] = useState<number | null>(null);
  const sheet = useQuery(stockQuery(useVenue(), branch));
  return (
    <Page title={t("stock.title")} name={t("stock.title")} lead={t("stock.lead")}>
      {sheet.error && !sheet.data && <ErrorAlert error={sheet.error} onRetry={() => void sheet.refetch()} />}
      {sheet.isPending && <Skeleton height={360} radius="lg" role="status" aria-label={t("common.loading")} />}
      {sheet.data && <Sheet sheet={sheet.data} onBranch={setBranch} />}
    </Page>
  );
};

type StockDialog = { kind: "count"; id: number } | { kind: "delivery" | "waste" } | { kind: "add" } | { kind: "change"; id: number } | null;

const Sheet = ({ sheet, onBranch }: { sheet: StockSheet; onBranch: (branch: number) => void }) => {
  const isManager = useRole() !== "staff";
  const [open, setOpen] = useState<StockDialog>(null);
  const [written, setWritten] = useState("");
  const pick = useLocalizedName();
  const text = written.trim().toLowerCase();
  const shown = sheet.ingredients.filter(({ name, sku }) => `${pick(name)} ${sku}`.toLowerCase().includes(text));
  const close = (): void => setOpen(null);
  return (
    <>
      {isManager && <Tools hasIngredients={sheet.ingredients.length > 0} onOpen={(kind) => setOpen({ kind })} />}
      {sheet.ingredients.length === 0 ? (
        <NoIngredients isManager={isManager} />
      ) : (
        <>
          <Filters sheet={sheet} written={written} onWrite={setWritten} onBranch={onBranch} />
          <Levels levels={shown} zone={sheet.zone} isManager={isManager} onOpen={setOpen} />
        </>
      )}
      {open?.kind === "count" && <CountDialog sheet={sheet} first={open.id} onClose={close} />}
      {(open?.kind === "delivery" || open?.kind === "waste") && <MoveDialog sheet={sheet} kind={open.kind} onClose={close} />}
      {open?.kind === "add" && <IngredientDialog sheet={sheet} id={null} onClose={close} />}
      {open?.kind === "change" && <IngredientDialog sheet={sheet} id={open.id} onClose={close} />}
    </>
  );
};

type ToolsProps = { hasIngredients: boolean; onOpen: (kind: "add" | "delivery" | "waste") => void };

const Tools = ({ hasIngredients, onOpen }: ToolsProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <Group gap="sm" className="stock-tools">
      {hasIngredients && (
        <>
          <Button size="md" onClick={() => onOpen("delivery")}>
            {t("stock.delivery")}
          </Button>
          <Button size="md" variant="default" onClick={() => onOpen("waste")}>
            {t("stock.waste")}
          </Button>
        </>
      )}
      <Button size="md" variant={hasIngredients ? "default" : "filled"} onClick={() => onOpen("add")}>
        {t("stock.add")}
      </Button>
      <Link to="/v/$venue/stock/recipes" params={{ venue }} className="stock-link">
        {t("stock.recipes")}
      </Link>
    </Group>
  );
};

const NoIngredients = ({ isManager }: { isManager: boolean }) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<BoxIcon size={28} />} title={t("stock.emptyTitle")}>
      <Text c="dimmed">{t(isManager ? "stock.emptyLead" : "stock.emptyStaff")}</Text>
    </EmptyState>
  );
};

type FiltersProps = { sheet: StockSheet; written: string; onWrite: (text: string) => void; onBranch: (branch: number) => void };

const Filters = ({ sheet, written, onWrite, onBranch }: FiltersProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  return (
    <div className="stock-filters">
      {sheet.branches.length > 1 && (
        <NativeSelect
          label={t("stock.branch")}
          size="md"
          value={String(sheet.branch_id)}
          onChange={(event) => onBranch(Number(event.currentTarget.value))}
          data={sheet.branches.map(({ id, name }) => ({ value: String(id), label: pick(name) }))}
        />
      )}
      <TextInput
        type="search"
        label={t("stock.search")}
        size="md"
        leftSection={<SearchIcon size={18} />}
        maxLength={80}
        autoComplete="off"
        value={written}
        onChange={(event) => onWrite(event.currentTarget.value)}
      />
    </div>
  );
};

type LevelsProps = { levels: readonly StockLevel[]; zone: string; isManager: boolean; onOpen: (dialog: StockDialog) => void };

const Levels = ({ levels, zone, isManager, onOpen }: LevelsProps) => {
  const { t } = useTranslation();
  if (levels.length === 0)
    return (
      <Text role="status" c="dimmed">
        {t("stock.none")}
      </Text>
    );
  return (
    <ul className="sheet stock-rows" aria-label={t("stock.list")}>
      {levels.map((level) => (
        <LevelRow key={level.id} level={level} zone={zone} isManager={isManager} onOpen={onOpen} />
      ))}
    </ul>
  );
};

const LevelRow = ({ level, zone, isManager, onOpen }: Omit<LevelsProps, "levels"> & { level: StockLevel }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const pick = useLocalizedName();
  const name = pick(level.name);
  return (
    <li className="stock-row">
      <div className="stock-what">
        <bdi className="stock-name">{name}</bdi>
        {level.sku !== "" && <bdi className="hint">{level.sku}</bdi>}
        <span className="stock-marks">
          <LevelMarks level={level} />
        </span>
      </div>
      <div className="stock-level">
        <span className="stock-on-hand">
          <Quantity value={level.on_hand} unit={level.unit} />
        </span>
        <span className="hint">
          {level.par_level !== null && (
            <>
              {t("stock.par")} <Quantity value={level.par_level} unit={level.unit} />
            </>
          )}
        </span>
        {level.counted_at !== null && (
          <span className="hint">{t("stock.countedAt", { when: formatDayAndClock(level.counted_at, zone) })}</span>
        )}
      </div>
      <Group gap="xs" className="stock-actions">
        <Button
          size="md"
          className="service-target"
          aria-label={t("stock.countOf", { name })}
          onClick={() => onOpen({ kind: "count", id: level.id })}
        >
          {t("stock.count")}
        </Button>
        {isManager && (
          <>
            <Button
              size="md"
              variant="default"
              aria-label={t("stock.changeOf", { name })}
              onClick={() => onOpen({ kind: "change", id: level.id })}
            >
              {t("stock.change")}
            </Button>
            <Link
              to="/v/$venue/stock/entries/$ingredient"
              params={{ venue, ingredient: String(level.id) }}
              className="stock-link"
              aria-label={t("stock.entriesOf", { name })}
            >
              {t("stock.entries")}
            </Link>
          </>
        )}
      </Group>
    </li>
  );
};
