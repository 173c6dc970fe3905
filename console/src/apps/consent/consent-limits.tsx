import { ALL_SCOPES, type Scope } from "@comanda/contract/scopes.ts";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { NoIcon } from "#kit/icons.tsx";

const NEVER = ["passwords", "cards", "venues", "settings", "tokens"] as const;

export const ConsentLimits = ({ asked, granted }: { asked: readonly Scope[]; granted: readonly Scope[] }) => {
  const { t } = useTranslation();
  const closed = ALL_SCOPES.filter((scope) => !asked.includes(scope) && !granted.includes(scope));
  return (
    <section className="consent-part" aria-labelledby="consent-never">
      <h2 className="consent-heading" id="consent-never">
        {t("consent.never")}
      </h2>
      <ul className="consent-nevers">
        {NEVER.map((one) => (
          <li key={one}>
            <NoIcon size={15} />
            <span>{t(`consent.nevers.${one}`)}</span>
          </li>
        ))}
      </ul>
      {closed.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mt={6}>
            {t("consent.notAsked")}
          </Text>
          <ul className="consent-nevers">
            {closed.map((scope) => (
              <li key={scope}>
                <NoIcon size={15} />
                <span>{t(`scopes.${scope}`)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
};
