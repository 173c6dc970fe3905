/** Title, search, branch and sound of the board. */
import type { BoardBranch } from "@comanda/contract/console/orders.ts";
import { Button, NativeSelect, TextInput, Title } from "@mantine/core";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { BellIcon, BellOffIcon, PauseIcon, PlusIcon, SearchIcon } from "#kit/icons.tsx";
import { useLocalizedName } from "#kit/localized-name.ts";
import { useRinger } from "#kit/ringer.ts";

type BoardHeadProps = {
  branches: BoardBranch[];
  branch: string;
  onBranch: (branch: string) => void;
  search: string;
  onSearch: (search: string) => void;
  searchField: RefObject<HTMLInputElement | null>;
  isWaiting: boolean;
  onNewOrder: () => void;
  /** Null for staff: they see what is paused, and cannot change it. */
  onPause: (() => void) | null;
};

export const BoardHead = (props: BoardHeadProps) => {
  const { t } = useTranslation();
  return (
    <div className="board-head">
      <Title order={1} className="board-title">
        {t("board.title")}
      </Title>
      <TextInput
        ref={props.searchField}
        className="board-search"
        type="search"
        aria-label={t("board.searchLabel")}
        placeholder={t("board.searchHint")}
        leftSection={<SearchIcon size={16} />}
        maxLength={80}
        autoComplete="off"
        spellCheck={false}
        value={props.search}
        onChange={(event) => props.onSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          props.onSearch("");
          event.currentTarget.blur();
        }}
      />
      {props.branches.length > 1 && <BranchSwitch {...props} />}
      <Button className="new-order-button" leftSection={<PlusIcon size={16} />} onClick={props.onNewOrder}>
        {t("board.newOrder")}
      </Button>
      {props.onPause && (
        <Button className="pause-button" variant="default" leftSection={<PauseIcon />} onClick={props.onPause}>
          {t("pause.open")}
        </Button>
      )}
      <SoundButton isWaiting={props.isWaiting} />
    </div>
  );
};

const BranchSwitch = ({ branches, branch, onBranch }: Pick<BoardHeadProps, "branches" | "branch" | "onBranch">) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  return (
    <NativeSelect
      className="board-branch"
      aria-label={t("board.branch")}
      value={branch}
      onChange={(event) => onBranch(event.currentTarget.value)}
      data={[{ value: "", label: t("board.allBranches") }, ...branches.map(({ id, name }) => ({ value: String(id), label: pick(name) }))]}
    />
  );
};

const SoundButton = ({ isWaiting }: { isWaiting: boolean }) => {
  const { t } = useTranslation();
  const { state, arm, disarm } = useRinger(isWaiting);
  if (state === "unavailable") return <span className="sound-none">{t("board.sound.unavailable")}</span>;
  const isOn = state === "on";
  return (
    <Button
      className={isOn ? "sound-button" : "sound-button sound-off"}
      variant="default"
      leftSection={isOn ? <BellIcon /> : <BellOffIcon />}
      {...(isOn ? { "aria-label": t("board.sound.turnOff") } : {})}
      onClick={() => void (isOn ? disarm() : arm())}
    >
      {t(isOn ? (isWaiting ? "board.sound.ringing" : "board.sound.on") : "board.sound.off")}
    </Button>
  );
};
