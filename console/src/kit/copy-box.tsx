/** A text with a button that copies it. */
import { Button, CopyButton, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CheckIcon, CopyIcon } from "./icons.tsx";

type CopyBoxProps = { label: string; text: string; isLarge?: boolean; onCopied?: () => void };

export const CopyBox = ({ label, text, isLarge = false, onCopied }: CopyBoxProps) => {
  const { t } = useTranslation();
  return (
    <div>
      <Text size="sm" fw={550} mb={6}>
        {label}
      </Text>
      <div className={isLarge ? "copy-box copy-large" : "copy-box"}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard. */}
        <pre className="code" tabIndex={0} translate="no">
          {text}
        </pre>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant={isLarge ? "filled" : "default"}
              aria-label={t("common.copyNamed", { what: label })}
              leftSection={copied ? <CheckIcon size={15} /> : <CopyIcon size={15} />}
              onClick={() => {
                copy();
                onCopied?.();
              }}
            >
              <span aria-live="polite">{t(copied ? "common.copied" : "common.copy")}</span>
            </Button>
          )}
        </CopyButton>
      </div>
    </div>
  );
};
