/** A choice of roles, each with what it may do. */
import type { Role } from "@comanda/contract/console/operation.ts";
import { Radio, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** The most powerful first, as everywhere. */
export const ALL_ROLES: readonly Role[] = ["owner", "manager", "staff"];

type RoleChoiceProps = { value: Role; roles: readonly Role[]; description?: string; onChange: (role: Role) => void };

export const RoleChoice = ({ value, roles, description, onChange }: RoleChoiceProps) => {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t("team.invite.role")}
      {...(description ? { description } : {})}
      value={value}
      onChange={(chosen) => onChange(roles.find((role) => role === chosen) ?? value)}
    >
      <Stack gap={4} mt="xs">
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            size="md"
            className="role-choice"
            label={t(`roles.${role}`)}
            description={t(`team.role.${role}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
};
