import { Skeleton, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";

export const LogSkeleton = ({ rows = 6, height = 62 }: { rows?: number; height?: number }) => {
  const { t } = useTranslation();
  return (
    <Stack gap={0} className="sheet log" role="status" aria-label={t("common.loading")}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: empty lines are all the same.
        <div key={row} className="log-blank">
          <Skeleton height={height - 36} width={`${88 - (row % 3) * 14}%`} />
        </div>
      ))}
    </Stack>
  );
};
