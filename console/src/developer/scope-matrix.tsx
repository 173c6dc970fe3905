import type { Scope } from "@comanda/contract/scopes.ts";
import { Checkbox, Collapse, NativeSelect, Stack, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { ChevronIcon } from "#kit/icons.tsx";
import { operationsOf, RESOURCES, RIGHTS, scopeOf } from "./scopes.ts";
import { EXPIRIES, type ExpiryDays } from "./token-presets.ts";

type ScopesAndExpiryProps = {
  scopes: readonly Scope[];
  onScopes: (scopes: readonly Scope[]) => void;
  expiry: ExpiryDays;
  onExpiry: (expiry: ExpiryDays) => void;
  isOpen: boolean;
  fault: string | null;
};

/** Collapsed until it is needed. */
export const ScopesAndExpiry = ({ scopes, onScopes, expiry, onExpiry, isOpen, fault }: ScopesAndExpiryProps) => {
  const { t } = useTranslation();
  const [isUnfolded, { toggle }] = useDisclosure(false);
  const isShown = isOpen || isUnfolded || fault !== null;
  const id = useId();
  return (
    <div className="sheet fold">
      <UnstyledButton className="fold-head" onClick={toggle} aria-expanded={isShown} aria-controls={id}>
        <span className="grow">
          <Text size="sm" fw={550} component="span" display="block">
            {t("create.adjust")}
          </Text>
          <Text size="xs" c="dimmed" component="span" className="figures">
            {t("create.chosen", { count: scopes.length })} · {expiry === "none" ? t("tokens.noExpiry") : t(`create.days.${expiry}`)}
          </Text>
        </span>
        <span className={isShown ? "turn turned" : "turn"}>
          <ChevronIcon />
        </span>
      </UnstyledButton>
      <Collapse expanded={isShown} id={id}>
        <Stack gap="md" p="md" pt={4}>
          <ScopeMatrix scopes={scopes} onScopes={onScopes} />
          {fault && (
            <Text role="alert" size="sm" c="var(--mantine-color-error)">
              {fault}
            </Text>
          )}
          <NativeSelect
            label={t("create.expiry")}
            value={expiry}
            onChange={(event) => onExpiry(event.currentTarget.value as ExpiryDays)}
            data={EXPIRIES.map((days) => ({ value: days, label: t(`create.days.${days}`) }))}
          />
          <ScopeMeanings />
        </Stack>
      </Collapse>
    </div>
  );
};

export const ScopeMatrix = ({ scopes, onScopes }: Pick<ScopesAndExpiryProps, "scopes" | "onScopes">) => {
  const { t } = useTranslation();
  const toggle = (scope: Scope) => onScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  return (
    <table className="matrix">
      <thead>
        <tr>
          <th scope="col">{t("scopes.resource")}</th>
          {RIGHTS.map((right) => (
            <th key={right} scope="col">
              {t(`scopes.${right}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {RESOURCES.map((resource) => (
          <tr key={resource}>
            <th scope="row">{t(`scopes.${resource}`)}</th>
            {RIGHTS.map((right) => {
              const scope = scopeOf(resource, right);
              return (
                <td key={right}>
                  {scope && (
                    <Checkbox
                      aria-label={`${t(`scopes.${resource}`)}: ${t(`scopes.${right}`)}. ${t(`scopes.${scope}`)}`}
                      checked={scopes.includes(scope)}
                      onChange={() => toggle(scope)}
                    />
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Each scope with its meaning and its operations in the contract. */
export const ScopeMeanings = () => {
  const { t } = useTranslation();
  return (
    <details className="meanings">
      <summary>{t("scopes.operations")}</summary>
      <dl>
        {RESOURCES.flatMap((resource) => RIGHTS.map((right) => scopeOf(resource, right))).map(
          (scope) =>
            scope && (
              <div key={scope}>
                <dt>
                  <span className="code">{scope}</span>
                </dt>
                <dd>
                  {t(`scopes.${scope}`)}
                  <ul>
                    {operationsOf(scope).map(({ id, method, path }) => (
                      <li key={id}>
                        <span className="code">
                          {method} {path}
                        </span>
                      </li>
                    ))}
                  </ul>
                </dd>
              </div>
            ),
        )}
      </dl>
    </details>
  );
};
