/** The faults of a chosen file, each with its place. */
import { Alert, Button, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fieldErrors } from "#kit/error-text.ts";
import { WarningIcon } from "#kit/icons.tsx";
import { useErrorTranslation } from "#kit/server-texts.ts";
import { namesOnTheWay, parseOrNull } from "./file-place.ts";

const SHOWN_FIRST = 20;

type FaultListProps = { fileName: string; text: string; error: unknown };

export const FaultList = ({ fileName, text, error }: FaultListProps) => {
  const { t } = useTranslation();
  const translate = useErrorTranslation();
  const [isWhole, setWhole] = useState(false);
  const faults = Object.entries(fieldErrors(error));
  const file = parseOrNull(text);
  const shown = isWhole ? faults : faults.slice(0, SHOWN_FIRST);
  return (
    <Alert color="red" variant="light" icon={<WarningIcon />} role="alert" title={t("venueFile.faults", { count: faults.length })}>
      <Text size="sm" c="inherit" mb="sm">
        <bdi>{fileName}</bdi>
      </Text>
      <ul className="file-faults">
        {shown.map(([path, sentence]) => {
          const names = namesOnTheWay(file, path);
          return (
            <li key={path}>
              {names.length > 0 && (
                <b>
                  <bdi>{names.join(" › ")}</bdi>
                </b>
              )}
              <span className="code break">{path}</span>
              <span dir="auto">{translate(sentence)}</span>
            </li>
          );
        })}
      </ul>
      {shown.length < faults.length && (
        <Button size="md" variant="default" mt="sm" onClick={() => setWhole(true)}>
          {t("venueFile.allFaults")}
        </Button>
      )}
    </Alert>
  );
};
