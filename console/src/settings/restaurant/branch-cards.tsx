/** The branches in their order: name, address, which one is the main one. */

import { ActionIcon, Button, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { BinIcon, CheckIcon, ChevronIcon, PlusIcon, UndoIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { TranslationFields } from "#kit/translation-fields.tsx";
import { readBookingsToCome, readTicketsToCome } from "../bookings-to-come.ts";
import {
  addCard,
  BRANCHES_MAX,
  type BranchCard,
  changeCard,
  hasName,
  keptCards,
  makeDefault,
  moveUp,
  NAME_LENGTH_MAX,
  removeCard,
} from "./branches-draft.ts";
import type { PlaceErrors } from "./use-restaurant-edit.ts";

const ADDRESS_LENGTH_MAX = 500;

let newCards = 0;
/** No key of a stored branch has a space. */
const newCardKey = (): string => {
  newCards += 1;
  return `new ${newCards}`;
};

type BranchCardsProps = {
  venue: string;
  cards: BranchCard[];
  begun: readonly BranchCard[];
  languages: readonly string[];
  errors: PlaceErrors;
  onChange: (cards: BranchCard[]) => void;
};

export const BranchCards = ({ venue, cards, begun, languages, errors, onChange }: BranchCardsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "restaurantPage" });
  const pick = useLocalizedName();
  const kept = keptCards(cards);
  const storedDefault = begun.find(({ is_default }) => is_default);
  const errorsOf = (card: BranchCard) => ({
    name: errors[`branches.${kept.indexOf(card)}.name`],
    address: errors[`branches.${kept.indexOf(card)}.address`],
    removed: errors[`removed.${card.key}`],
  });
  return (
    <section className="sheet place-section" aria-labelledby="branches">
      <Title order={2} className="item-title" id="branches">
        {t("branches")}
      </Title>
      <Text c="dimmed" size="sm">
        {t("branchesHint")}
      </Text>
      {cards.map((card, at) => (
        <BranchFields
          key={card.key}
          venue={venue}
          card={card}
          title={pick(card.name) || t("branchOf", { number: at + 1 })}
          isFirst={at === 0}
          isStoredDefault={card.key === storedDefault?.key}
          likeName={pick(storedDefault?.name ?? {})}
          languages={languages}
          errors={errorsOf(card)}
          onChange={(part) => onChange(changeCard(cards, card.key, part))}
          onDefault={() => onChange(makeDefault(cards, card.key))}
          onMoveUp={() => onChange(moveUp(cards, card.key))}
          onRemove={() => onChange(removeCard(cards, card.key))}
        />
      ))}
      <Button
        className="start"
        variant="default"
        size="md"
        leftSection={<PlusIcon size={18} />}
        disabled={kept.length >= BRANCHES_MAX}
        onClick={() => onChange(addCard(cards, newCardKey()))}
      >
        {t("add")}
      </Button>
    </section>
  );
};

type BranchFieldsProps = {
  venue: string;
  card: BranchCard;
  title: string;
  isFirst: boolean;
  isStoredDefault: boolean;
  /** The branch whose hours a new one begins with. */
  likeName: string;
  languages: readonly string[];
  errors: { name: string | undefined; address: string | undefined; removed: string | undefined };
  onChange: (part: Partial<BranchCard>) => void;
  onDefault: () => void;
  onMoveUp: () => void;
  onRemove: () => void;
};

const BranchFields = (props: BranchFieldsProps) => {
  const { card, title, isFirst, likeName, languages, errors, onChange, onMoveUp } = props;
  const { t } = useTranslation("translation", { keyPrefix: "restaurantPage" });
  const translate = useErrorTranslation();
  if (card.isRemoved) return <RemovedBranch title={title} error={errors.removed} onKeep={() => onChange({ isRemoved: false })} />;
  return (
    <section className="branch-card" aria-label={title}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={3} className="branch-title break">
          <bdi>{title}</bdi>
        </Title>
        <ActionIcon variant="default" size={44} aria-label={t("moveUp", { name: title })} disabled={isFirst} onClick={onMoveUp}>
          <span className="turn turned">
            <ChevronIcon />
          </span>
        </ActionIcon>
      </Group>
      <Stack gap="md">
        <TranslationFields
          label={t("name")}
          languages={languages}
          texts={card.name}
          saved={null}
          lengthMax={NAME_LENGTH_MAX}
          error={hasName(card) ? (errors.name && translate(errors.name)) || null : t("nameMissing")}
          onChange={(name) => onChange({ name })}
        />
        <Textarea
          size="md"
          dir="auto"
          label={t("address")}
          autosize
          minRows={2}
          maxLength={ADDRESS_LENGTH_MAX}
          value={card.address ?? ""}
          error={errors.address && translate(errors.address)}
          onChange={({ currentTarget: { value } }) => onChange({ address: value === "" ? null : value })}
        />
        {card.isNew && <Text size="sm">{t("added", { name: likeName })}</Text>}
        <BranchActions {...props} />
      </Stack>
    </section>
  );
};

const BranchActions = ({ venue, card, title, isStoredDefault, onDefault, onRemove }: BranchFieldsProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "restaurantPage" });
  const isFixed = isStoredDefault || card.is_default;
  return (
    <>
      <Group gap="sm">
        {card.is_default ? (
          <span className="branch-default">
            <CheckIcon /> {t("isDefault")}
          </span>
        ) : (
          <Button variant="default" size="md" aria-label={`${t("makeDefault")}: ${title}`} onClick={onDefault}>
            {t("makeDefault")}
          </Button>
        )}
        <Button
          variant="default"
          size="md"
          leftSection={<BinIcon />}
          disabled={isFixed}
          aria-label={`${t("remove")}: ${title}`}
          onClick={onRemove}
        >
          {t("remove")}
        </Button>
        {!card.isNew && (
          <>
            <Link className="link branch-link" to="/v/$venue/hours" params={{ venue }}>
              {t("hoursLink")}
            </Link>
            <Link className="link branch-link" to="/v/$venue/floor" params={{ venue }}>
              {t("tablesLink")}
            </Link>
          </>
        )}
      </Group>
      {isFixed && <Text className="hint">{t("removeDefault")}</Text>}
    </>
  );
};

const RemovedBranch = ({ title, error, onKeep }: { title: string; error: string | undefined; onKeep: () => void }) => {
  const { t } = useTranslation("translation", { keyPrefix: "restaurantPage" });
  const translate = useErrorTranslation();
  const explain = (sentence: string): string => {
    const [booked, ticketed] = [readBookingsToCome(sentence), readTicketsToCome(sentence)];
    if (booked !== null) return t("booked", { count: booked });
    return ticketed === null ? translate(sentence) : t("ticketed", { count: ticketed });
  };
  return (
    <section className="branch-card branch-removed" aria-label={title}>
      <Title order={3} className="branch-title break">
        <s>
          <bdi>{title}</bdi>
        </s>
      </Title>
      <Text size="sm">{t("removed")}</Text>
      {error !== undefined && (
        <Text size="sm" className="bad" role="alert">
          {explain(error)}
        </Text>
      )}
      <Button className="start" variant="default" size="md" leftSection={<UndoIcon />} onClick={onKeep}>
        {t("keep")}
      </Button>
    </section>
  );
};
