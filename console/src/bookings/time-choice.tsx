/** The free times of a day as buttons. Times that are taken are not offered. */
import { Radio, Skeleton, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ErrorAlert } from "#shell/page-states.tsx";

type TimeChoiceProps = {
  times: readonly { time: string; is_free: boolean }[] | undefined;
  error: Error | null;
  value: string;
  onChange: (time: string) => void;
};

export const TimeChoice = ({ times, error, value, onChange }: TimeChoiceProps) => {
  const { t } = useTranslation("translation", { keyPrefix: "bookings" });
  const { t: tCommon } = useTranslation();
  const free = times?.filter(({ is_free }) => is_free) ?? [];
  if (error) return <ErrorAlert error={error} />;
  if (!times) return <Skeleton height={96} role="status" aria-label={tCommon("common.loading")} />;
  if (free.length === 0) return <Text role="status">{t("new.noTimes")}</Text>;
  return (
    <Radio.Group label={t("new.time")} value={value} onChange={onChange} required>
      <div className="time-choice">
        {free.map(({ time }) => (
          <Radio.Card key={time} value={time} className="time-card figures">
            {time}
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
};
