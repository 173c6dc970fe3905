/** The head of the display: which screen this is, how much is open, and what opens dialogs. */
import type { Screen } from "@comanda/contract/console/screens.ts";
import { useTranslation } from "react-i18next";
import { useClock } from "#kit/clock.ts";
import { BellOffIcon, SunIcon, UndoIcon } from "#kit/icons.tsx";
import type { RingerState } from "#kit/ringer.ts";
import { formatClock } from "#kit/venue-time.ts";
import type { DisplayLook } from "./display-look.ts";
import { useKitchenContext } from "./kitchen-actions.ts";

type HeadInput = {
  screen: Screen;
  openCount: number;
  sound: { state: RingerState; arm: () => Promise<void> };
  look: { look: DisplayLook; toggle: () => void };
  onOpen: (dialog: "recall" | "keys") => void;
};

const WallClock = () => {
  const { zone, clockAheadMs } = useKitchenContext();
  const now = useClock();
  return <span className="kd-clock figures">{formatClock(now + clockAheadMs, zone)}</span>;
};

export const DisplayHead = ({ screen, openCount, sound, look: { look, toggle }, onOpen }: HeadInput) => {
  const { t } = useTranslation();
  const stations = screen.stations.length === 0 ? t("kitchen.expo") : screen.stations.join(" · ");
  return (
    <header className="kd-top">
      <div className="kd-title">
        <h1>{screen.name}</h1>
        <span className="kd-quiet">
          {stations} · {t("kitchen.open", { count: openCount })}
        </span>
      </div>
      {screen.has_sound && sound.state === "off" && (
        <button type="button" className="kd-button kd-button-alert" onClick={() => void sound.arm()}>
          <BellOffIcon size={30} /> {t("kitchen.sound.off")}
        </button>
      )}
      {screen.has_sound && sound.state === "unavailable" && <span className="kd-quiet">{t("kitchen.sound.unavailable")}</span>}
      <WallClock />
      <button type="button" className="kd-button" onClick={() => onOpen("recall")}>
        <UndoIcon size={28} /> {t("kitchen.recall")}
      </button>
      <button type="button" className="kd-button kd-wide-only" onClick={() => onOpen("keys")}>
        {t("kitchen.keys.title")}
      </button>
      <button type="button" className="kd-button" onClick={toggle}>
        <SunIcon size={28} /> {t(`kitchen.look.${look === "dark" ? "light" : "dark"}`)}
      </button>
    </header>
  );
};
