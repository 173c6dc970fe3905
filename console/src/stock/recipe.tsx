/** The recipe of one dish: what a portion takes, what a size and what an option take in addition. */
import "./stock.css";
import type { DishRecipe } from "@comanda/contract/console/stock.ts";
import { Button, Group, NativeSelect, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Form } from "#kit/form.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import {
  draftOf,
  isRightDraft,
  isRightLine,
  partsOf,
  type RecipeDraft,
  type RecipeDraftLine,
  type RecipePart,
  recipesOf,
} from "./recipe-draft.ts";
import { recipeQuery, stockKeys } from "./stock-queries.ts";
import { enStock } from "./texts.en.ts";

addEnglishTexts(enStock);

export const RecipePage = () => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const venue = useVenue();
  const { dish } = useParams({ from: "/inside/v/$venue/stock/recipes/$dish" });
  const recipe = useQuery(recipeQuery(venue, /^[1-9][0-9]{0,15}$/.test(dish) ? Number(dish) : 0));
  const name = recipe.data ? t("stock.recipeOf", { name: pick(recipe.data.name) }) : t("stock.recipes");
  return (
    <Page
      title={name}
      name={name}
      lead={t("stock.recipeLead")}
      back={
        <Link to="/v/$venue/stock/recipes" params={{ venue }} className="back-link">
          {t("stock.backToRecipes")}
        </Link>
      }
      isNarrow
    >
      {recipe.error && !recipe.data && <ErrorAlert error={recipe.error} onRetry={() => void recipe.refetch()} />}
      {recipe.isPending && <Skeleton height={360} radius="lg" role="status" aria-label={t("common.loading")} />}
      {recipe.data && <RecipeForm key={recipe.data.version} recipe={recipe.data} />}
    </Page>
  );
};

const RecipeForm = ({ recipe }: { recipe: DishRecipe }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [draft, setDraft] = useState<RecipeDraft>(() => draftOf(recipe));
  const parts = partsOf(recipe);
  const { write, isPending } = useWrite<"saveRecipe">({ readAgain: stockKeys(venue), onDone: () => toast.done(t("stock.recipeSaved")) });
  if (recipe.ingredients.length === 0)
    return (
      <Text role="status" c="dimmed">
        {t("stock.noIngredientsYet")}{" "}
        <Link to="/v/$venue/stock" params={{ venue }} className="stock-link">
          {t("stock.backToStock")}
        </Link>
      </Text>
    );
  return (
    <Form
      onSubmit={() => {
        write({
          id: "saveRecipe",
          params: { venue, id: recipe.id },
          body: { seen_version: recipe.version, recipes: recipesOf(parts, draft) },
        });
      }}
    >
      <Stack gap="lg">
        {parts.map((part) => (
          <PartFields
            key={part.id}
            part={part}
            recipe={recipe}
            lines={draft[part.id] ?? []}
            onChange={(lines) => setDraft((before) => ({ ...before, [part.id]: lines }))}
          />
        ))}
        <Group justify="flex-end">
          <Button type="submit" size="md" disabled={!isRightDraft(draft)} loading={isPending}>
            {t("stock.saveRecipe")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

type PartProps = {
  part: RecipePart;
  recipe: DishRecipe;
  lines: readonly RecipeDraftLine[];
  onChange: (lines: readonly RecipeDraftLine[]) => void;
};

const PartFields = ({ part, recipe, lines, onChange }: PartProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const name = t(`stock.parts.${part.kind}`, { name: pick(part.name) });
  const add = (): void => onChange([...lines, { number: (lines.at(-1)?.number ?? -1) + 1, ingredient: "", quantity: "" }]);
  return (
    <section className="sheet stock-sheet" aria-label={name}>
      <Title order={2} className="stock-part">
        {name}
      </Title>
      {part.dishes > 1 && <Text c="dimmed">{t("stock.sharedOption", { count: part.dishes })}</Text>}
      {lines.map((line) => (
        <LineFields
          key={line.number}
          line={line}
          recipe={recipe}
          isWrong={!isRightLine(line, lines) && line.ingredient !== "" && line.quantity !== ""}
          onChange={(change) => onChange(lines.map((one) => (one.number === line.number ? { ...one, ...change } : one)))}
          onRemove={() => onChange(lines.filter(({ number }) => number !== line.number))}
        />
      ))}
      <Button variant="default" size="md" className="stock-add-line" aria-label={t("stock.addLineTo", { name })} onClick={add}>
        {t("stock.addLine")}
      </Button>
    </section>
  );
};

type LineProps = {
  line: RecipeDraftLine;
  recipe: DishRecipe;
  isWrong: boolean;
  onChange: (change: Partial<RecipeDraftLine>) => void;
  onRemove: () => void;
};

const LineFields = ({ line, recipe, isWrong, onChange, onRemove }: LineProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const chosen = recipe.ingredients.find(({ key }) => key === line.ingredient);
  return (
    <div className="stock-line">
      <NativeSelect
        label={t("stock.ingredient")}
        size="md"
        value={line.ingredient}
        onChange={(event) => onChange({ ingredient: event.currentTarget.value })}
        data={[{ value: "", label: t("stock.choose") }, ...recipe.ingredients.map(({ key, name }) => ({ value: key, label: pick(name) }))]}
      />
      <TextInput
        label={t("stock.quantity")}
        size="md"
        dir="ltr"
        inputMode="decimal"
        autoComplete="off"
        className="figures"
        rightSection={chosen ? t(`stock.units.${chosen.unit}`) : null}
        rightSectionWidth={80}
        error={isWrong && t("stock.lineWrong")}
        value={line.quantity}
        onChange={(event) => onChange({ quantity: event.currentTarget.value })}
      />
      <Button variant="subtle" size="md" color="red" className="stock-remove" onClick={onRemove}>
        {t("stock.removeLine")}
      </Button>
    </div>
  );
};
