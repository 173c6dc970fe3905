/** What concerns the whole menu: what guests see at a moment, prices to come, and what was changed. */
import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CalendarIcon, ClockIcon, DeviceIcon } from "#kit/icons.tsx";
import type { OpenMenuDialog } from "./open-dialog.ts";

export const ToolButtons = ({ onOpen }: { onOpen: (open: OpenMenuDialog) => void }) => {
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
