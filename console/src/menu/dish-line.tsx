/** A dish in the list: chosen, opened, priced, shown online, moved. Drawn again only when it changed itself. */
import type { Minor } from "@comanda/contract/minor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { TFunction } from "i18next";
import { type KeyboardEvent, memo } from "react";
import { ChevronIcon, GripIcon, WarningIcon } from "#kit/icons.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { GoneChoice } from "./gone-choice.tsx";
import { changeValue, type DraftDish, orderName, withPrice } from "./menu-draft.ts";
import { moveSubject } from "./menu-order.ts";
import { PriceField } from "./price-field.tsx";
import type { MenuEditing } from "./use-menu-edit.ts";

/** Hooks for texts are called once for the list: hundreds of rows with their own would open slowly. */
export type DishLineProps = {
  t: TFunction;
  pick: (texts: Translations) => string;
  dish: DraftDish;
  currency: string;
  isChosen: boolean;
  /** The dishes around it are those of its category, in their order. */
  isMovable: boolean;
  isUntranslated: boolean;
  gaps: string;
  faults: readonly string[] | undefined;
  round: number;
  set: MenuEditing["set"];
  change: MenuEditing["change"];
  markPrice: MenuEditing["markPrice"];
  onChoose: (key: string, isChosen: boolean) => void;
  onOpen: (key: string) => void;
};

export const priceFieldId = (key: string, size: string | null): string => `price-${key}-${size ?? ""}`;

/** A moved element loses the focus in some browsers. */
const focusAgain = (id: string): void => void setTimeout(() => document.getElementById(id)?.focus());

export const DishLine = memo((props: DishLineProps) => {
  const { t, pick, dish, isChosen, isMovable, change, set, onChoose, onOpen } = props;
  const { key, value, state } = dish;
  const name = pick(value.name) || t("menuEditor.unnamed");
  const move = (by: -1 | 1, focused: string): void => {
    change((draft, plan) => moveSubject(draft, plan, { list: "items", parent: value.category, key, by }));
    focusAgain(focused);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLLIElement>): void => {
    if (!isMovable || !event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(event.key === "ArrowUp" ? -1 : 1, (event.target as HTMLElement).id);
  };
  if (state === "removed")
    return (
      <li className="menu-line" data-state={state}>
        <s className="menu-line-name grow" dir="auto">
          {name}
        </s>
        <span className="menu-mark">{t("menuEditor.marks.removed")}</span>
        <button
          type="button"
          className="menu-button"
          aria-label={`${t("menuEditor.putBack")}: ${name}`}
          onClick={() => set({ list: "items", key }, value)}
        >
          {t("menuEditor.putBack")}
        </button>
      </li>
    );
  return (
    <li
      className="menu-line"
      data-state={state}
      data-drag-key={isMovable ? key : undefined}
      data-drag-list={isMovable ? orderName("items", value.category) : undefined}
      onKeyDown={onKeyDown}
    >
      {isMovable && <Grip />}
      <label className="menu-check">
        <input
          type="checkbox"
          aria-label={t("menuEditor.choose", { name })}
          checked={isChosen}
          onChange={({ currentTarget: { checked } }) => onChoose(key, checked)}
        />
      </label>
      <div className="menu-line-text">
        <button type="button" id={`dish-${key}`} className="menu-line-name" dir="auto" onClick={() => onOpen(key)}>
          {name}
        </button>
        <DishMarks {...props} />
      </div>
      <DishPrices {...props} name={name} />
      <OnlineSwitch
        t={t}
        name={name}
        isOn={value.show_online}
        onSet={(show_online) =>
          change((draft, plan) => changeValue(draft, plan, { list: "items", key }, (now) => ({ ...now, show_online })))
        }
      />
      {isMovable && <LineMoves t={t} dishKey={key} name={name} onMove={move} />}
    </li>
  );
});

type LineMovesProps = { t: TFunction; dishKey: string; name: string; onMove: (by: -1 | 1, focused: string) => void };

const LineMoves = ({ t, dishKey, name, onMove }: LineMovesProps) => (
  <span className="menu-moves">
    {([-1, 1] as const).map((by) => (
      <button
        key={by}
        type="button"
        id={`dish-${dishKey}-${by}`}
        className="menu-icon-button"
        aria-label={t(by === -1 ? "menuEditor.moveUp" : "menuEditor.moveDown", { name })}
        onClick={() => onMove(by, `dish-${dishKey}-${by}`)}
      >
        <span className={by === -1 ? "turn turned" : "turn"}>
          <ChevronIcon size={20} />
        </span>
      </button>
    ))}
  </span>
);

/** A pointer uses the grip. The buttons and keys beside it do the same. */
export const Grip = () => (
  <span className="menu-grip" data-grip="" aria-hidden="true">
    <GripIcon size={18} />
  </span>
);

/** A mark is said in words; its colour only repeats it. */
const DishMarks = ({ t, pick, dish, isUntranslated, gaps, faults = [], change }: DishLineProps) => {
  const { state, isAvailable, isAlsoChanged } = dish;
  const wrong = [
    ...(gaps === "" ? [] : gaps.split(" ")).map((gap) => t(`menuEditor.gaps.${gap as "name"}`)),
    ...(isAlsoChanged ? [t("menuEditor.alsoChanged")] : []),
  ];
  return (
    <>
      <span className="menu-marks">
        {(state === "new" || state === "changed") && (
          <span className="menu-mark" data-kind="own">
            {t(`menuEditor.marks.${state}`)}
          </span>
        )}
        {!isAvailable && (
          <span className="menu-mark" data-kind="out">
            {t("menuEditor.marks.soldOut")}
          </span>
        )}
        {isUntranslated && <span className="menu-mark">{t("menuEditor.marks.untranslated")}</span>}
      </span>
      {wrong.map((sentence) => (
        <span key={sentence} className="menu-fault">
          <WarningIcon size={16} /> {sentence}
        </span>
      ))}
      {dish.isGone && <GoneChoice t={t} name={pick(dish.value.name)} choice={{ list: "items", key: dish.key }} change={change} />}
      {faults.length > 0 && <ServerFaults faults={faults} />}
    </>
  );
};

export const ServerFaults = ({ faults }: { faults: readonly string[] }) => {
  const translate = useErrorTranslation();
  return faults.map((sentence) => (
    <span key={sentence} className="menu-fault" role="alert">
      <WarningIcon size={16} /> {translate(sentence)}
    </span>
  ));
};

const DishPrices = ({ t, pick, dish, name, currency, round, change, markPrice }: DishLineProps & { name: string }) => {
  const { key, value, saved } = dish;
  const field = (size: string | null, minor: Minor | null, label: string) => (
    <PriceField
      key={round}
      id={priceFieldId(key, size)}
      label={label}
      currency={currency}
      wrongText={t("menuEditor.priceWrong")}
      minor={minor}
      onPrice={(price) => change((draft, plan) => changeValue(draft, plan, { list: "items", key }, (now) => withPrice(now, size, price)))}
      onWrong={markPrice}
    />
  );
  const before = (was: Minor | null | undefined, is: Minor | null) =>
    typeof was === "number" && was !== is && <s className="menu-was figures">{formatMoney(was, currency)}</s>;
  if (value.variants.length === 0)
    return (
      <span className="menu-prices">
        {before(saved?.price_minor, value.price_minor)}
        {field(null, value.price_minor, t("menuEditor.priceOf", { name }))}
      </span>
    );
  return (
    <span className="menu-prices" data-sizes>
      {value.variants.map((size) => (
        <span key={size.key} className="menu-size">
          <span className="menu-size-name" dir="auto">
            {pick(size.name)}
          </span>
          {before(saved?.variants.find((one) => one.key === size.key)?.price_minor, size.price_minor)}
          {field(size.key, size.price_minor, t("menuEditor.sizePriceOf", { name, size: pick(size.name) }))}
        </span>
      ))}
    </span>
  );
};

type OnlineSwitchProps = { t: TFunction; name: string; isOn: boolean; onSet: (isOn: boolean) => void };

const OnlineSwitch = ({ t, name, isOn, onSet }: OnlineSwitchProps) => {
  return (
    <button
      type="button"
      role="switch"
      className="menu-online"
      aria-checked={isOn}
      aria-label={t("menuEditor.onlineOf", { name })}
      onClick={() => onSet(!isOn)}
    >
      <span className="menu-track" aria-hidden="true">
        <span className="menu-knob" />
      </span>
      <span aria-hidden="true">{t(isOn ? "menuEditor.online" : "menuEditor.offline")}</span>
    </button>
  );
};
