/** The dishes, and which of them have a recipe. */
import "./stock.css";
import type { RecipeDish } from "@comanda/contract/console/stock.ts";
import { Skeleton, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SearchIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { recipesQuery } from "./stock-queries.ts";
import { enStock } from "./texts.en.ts";

addEnglishTexts(enStock);

/** More are found by searching. */
const SHOWN_MAX = 200;

export const RecipesPage = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const pick = useLocalizedName();
  const [written, setWritten] = useState("");
  const list = useQuery(recipesQuery(venue));
  const text = written.trim().toLowerCase();
  const found = (list.data?.dishes ?? []).filter(({ name, category }) => `${pick(name)} ${pick(category)}`.toLowerCase().includes(text));
  return (
    <Page
      title={t("stock.recipes")}
      name={t("stock.recipes")}
      lead={t("stock.recipesLead")}
      back={
        <Link to="/v/$venue/stock" params={{ venue }} className="back-link">
          {t("stock.backToStock")}
        </Link>
      }
      isNarrow
    >
      {list.error && !list.data && <ErrorAlert error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton height={360} radius="lg" role="status" aria-label={t("common.loading")} />}
      {list.data && (
        <>
          <TextInput
            type="search"
            label={t("stock.searchDish")}
            size="md"
            leftSection={<SearchIcon size={18} />}
            maxLength={80}
            autoComplete="off"
            value={written}
            onChange={(event) => setWritten(event.currentTarget.value)}
          />
          <Dishes dishes={found} />
        </>
      )}
    </Page>
  );
};

const Dishes = ({ dishes }: { dishes: readonly RecipeDish[] }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const pick = useLocalizedName();
  if (dishes.length === 0)
    return (
      <Text role="status" c="dimmed">
        {t("stock.noDish")}
      </Text>
    );
  return (
    <>
      <ul className="sheet stock-rows" aria-label={t("stock.recipes")}>
        {dishes.slice(0, SHOWN_MAX).map((dish) => (
          <li key={dish.id}>
            <Link to="/v/$venue/stock/recipes/$dish" params={{ venue, dish: String(dish.id) }} className="stock-dish">
              <span className="stock-what">
                <bdi className="stock-name">{pick(dish.name)}</bdi>
                <bdi className="hint">{pick(dish.category)}</bdi>
              </span>
              <span className="hint">{dish.lines === 0 ? t("stock.noRecipe") : t("stock.recipeLines", { count: dish.lines })}</span>
            </Link>
          </li>
        ))}
      </ul>
      {dishes.length > SHOWN_MAX && <Text c="dimmed">{t("stock.moreDishes", { count: dishes.length - SHOWN_MAX })}</Text>}
    </>
  );
};
