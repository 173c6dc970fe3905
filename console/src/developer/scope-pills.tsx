import type { Scope } from "@comanda/contract/scopes.ts";
import { useTranslation } from "react-i18next";
import { RIGHTS, resourcesWith } from "./scopes.ts";

/** One line of resources to read, one of resources to write. */
export const ScopePills = ({ scopes }: { scopes: readonly Scope[] }) => {
  const { t } = useTranslation();
  return (
    <div className="scope-lines">
      {RIGHTS.map((right) => {
        const resources = resourcesWith(scopes, right);
        if (resources.length === 0) return null;
        return (
          <div key={right} className={`scope-line scope-${right}`}>
            <span className="scope-right">{t(`scopes.${right}`)}</span>
            {resources.map((resource) => (
              <span key={resource} className="pill" title={`${resource}:${right}`}>
                {t(`scopes.${resource}`)}
              </span>
            ))}
          </div>
        );
      })}
    </div>
  );
};
