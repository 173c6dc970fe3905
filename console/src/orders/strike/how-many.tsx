/** How many of a line are struck: one by one, or all with one press. */
import type { OrderLine } from "@comanda/contract/venue/orders.ts";
import { ActionIcon, Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { MinusIcon, PlusIcon } from "#kit/icons.tsx";

type HowManyProps = { quantity: number; line: OrderLine; most: number; isFixed: boolean; onChange: (quantity: number) => void };

export const HowMany = ({ quantity, line, most, isFixed, onChange }: HowManyProps) => {
  const { t } = useTranslation();
  return (
    <fieldset className="strike-many">
      <legend className="strike-many-label">{t("strike.howMany")}</legend>
      <Stack gap="xs">
        <Group gap="sm">
          <ActionIcon
            variant="default"
            className="strike-step"
            aria-label={t("strike.fewer")}
            disabled={isFixed || quantity <= 1}
            onClick={() => onChange(quantity - 1)}
          >
            <MinusIcon size={22} />
          </ActionIcon>
          <output className="strike-count figures">{t("strike.ofAll", { quantity, all: line.quantity })}</output>
          <ActionIcon
            variant="default"
            className="strike-step"
            aria-label={t("strike.more")}
            disabled={isFixed || quantity >= most}
            onClick={() => onChange(quantity + 1)}
          >
            <PlusIcon size={22} />
          </ActionIcon>
          {most === line.quantity && (
            <Button
              variant={quantity === most ? "filled" : "default"}
              className="service-target"
              aria-pressed={quantity === most}
              disabled={isFixed}
              onClick={() => onChange(most)}
            >
              {t("strike.all", { all: line.quantity })}
            </Button>
          )}
        </Group>
        {most < line.quantity && <Text className="hint">{t("strike.only")}</Text>}
      </Stack>
    </fieldset>
  );
};
