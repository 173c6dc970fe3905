/** An inline id or URL with a small copy button. */
import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CheckIcon, CopyIcon } from "./icons.tsx";

export const CopyId = ({ label, text, shown = text }: { label: string; text: string; shown?: string }) => {
  const { t } = useTranslation();
  return (
    <span className="copy-id">
      <span className="code ellipsis" translate="no" title={text}>
        {shown}
      </span>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={t(copied ? "common.copied" : "common.copyNamed", { what: label })}>
            <ActionIcon variant="subtle" color="gray" size={26} aria-label={t("common.copyNamed", { what: label })} onClick={copy}>
              {copied ? <CheckIcon size={15} /> : <CopyIcon size={15} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </span>
  );
};
