/** The receipt of an erasure, on the screen and on paper. It has no personal data. */
import { ERASED_KINDS } from "@comanda/contract/console/guest-kinds.ts";
import type { ErasureReceipt } from "@comanda/contract/console/guests.ts";
import { Button, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PrintIcon } from "#kit/icons.tsx";
import { formatCount } from "#kit/number-format.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { Page } from "#shell/page.tsx";
import { useVenue, useVenueName } from "#shell/venue.ts";

export const ErasureReceiptView = ({ receipt, zone }: { receipt: ErasureReceipt; zone: string }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const venueName = useVenueName();
  return (
    <Page title={t("guests.receiptTitle")} name={t("guests.receiptTitle")} lead={t("guests.receiptLead")} isNarrow>
      <section className="sheet guest-card guest-receipt" aria-label={t("guests.receiptTitle")}>
        <dl className="guest-facts">
          <ReceiptLine name={t("guests.receiptVenue")}>
            <bdi>{venueName}</bdi>
          </ReceiptLine>
          <ReceiptLine name={t("guests.receiptGuest")}>{String(receipt.guest_id)}</ReceiptLine>
          <ReceiptLine name={t("guests.receiptAt")}>{formatDayAndClock(receipt.erased_at, zone)}</ReceiptLine>
          <ReceiptLine name={t("guests.receiptBy")}>
            <bdi>{receipt.erased_by}</bdi>
          </ReceiptLine>
          {ERASED_KINDS.map((kind) => (
            <ReceiptLine key={kind} name={t(`guests.erasedKinds.${kind}`)}>
              {formatCount(receipt.erased[kind])}
            </ReceiptLine>
          ))}
        </dl>
      </section>
      <Group gap="sm" className="guest-actions">
        <Button size="md" leftSection={<PrintIcon size={18} />} onClick={() => window.print()}>
          {t("guests.receiptPrint")}
        </Button>
        <Text size="sm">
          <Link to="/v/$venue/guests" params={{ venue }} search={{}} className="back-link">
            {t("guests.back")}
          </Link>
        </Text>
      </Group>
    </Page>
  );
};

const ReceiptLine = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="figures">{children}</dd>
  </div>
);
