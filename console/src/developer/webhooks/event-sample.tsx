import type { EventType } from "@comanda/contract/events/envelope.ts";
import { Button, Skeleton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CopyBox } from "#kit/copy-box.tsx";

/** A sample body. All samples are loaded with the first one that is opened. */
export const EventSample = ({ type }: { type: EventType }) => {
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={t("endpoint.sampleOf", { type })}
      >
        {t("endpoint.sample")}
      </Button>
      <div id={id} className="event-sample">
        {isOpen && <Sample type={type} />}
      </div>
    </>
  );
};

const Sample = ({ type }: { type: EventType }) => {
  const { t } = useTranslation();
  const { data: samples } = useQuery({
    queryKey: ["event-samples"],
    queryFn: async () => (await import("@comanda/contract/events/event-samples.ts")).EVENT_SAMPLES,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!samples) return <Skeleton height={160} />;
  return <CopyBox label={t("endpoint.sampleOf", { type })} text={JSON.stringify(samples[type], null, 2)} />;
};
