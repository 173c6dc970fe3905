/** Parts that pages of settings share: a titled sheet, and a choice of order types. */
import "./setting-section.css";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import { Chip, Input, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

export const ORDER_TYPES: readonly OrderType[] = ["dine_in", "pickup", "delivery"];

type SettingSectionProps = { title: string; lead?: string; children: ReactNode };

export const SettingSection = ({ title, lead, children }: SettingSectionProps) => (
  <section className="sheet setting-section">
    <Title order={2} className="item-title">
      {title}
    </Title>
    {lead && (
      <Text c="dimmed" size="sm">
        {lead}
      </Text>
    )}
    <Stack gap="md" mt="sm">
      {children}
    </Stack>
  </section>
);

type OrderTypeChipsProps = { label: string; types: readonly OrderType[]; error?: string | null; onChange: (types: OrderType[]) => void };

export const OrderTypeChips = ({ label, types, error = null, onChange }: OrderTypeChipsProps) => {
  const { t } = useTranslation();
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <div className="setting-chips">
        {ORDER_TYPES.map((type) => (
          <Chip
            key={type}
            size="md"
            checked={types.includes(type)}
            onChange={(isChosen) => onChange(ORDER_TYPES.filter((one) => (one === type ? isChosen : types.includes(one))))}
          >
            {t(`order.types.${type}`)}
          </Chip>
        ))}
      </div>
    </Input.Wrapper>
  );
};
