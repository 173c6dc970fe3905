import type { Consent } from "@comanda/contract/console/apps.ts";
import type { Scope } from "@comanda/contract/scopes.ts";
import { Badge, Checkbox, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { KeyIcon, WarningIcon } from "#kit/icons.tsx";
import { isSensitive, sortScopes } from "../sensitive-scopes.ts";

type ConsentScopesProps = {
  asked: readonly Scope[];
  venue: Pick<Consent["venues"][number], "granted" | "plan_lacks"> | null;
  ticked: readonly Scope[];
  onTick: (ticked: readonly Scope[]) => void;
  isReadOnly: boolean;
};

/** New scopes are listed first. Scopes that are already granted are collapsed and can be unticked. */
export const ConsentScopes = ({ asked, venue, ticked, onTick, isReadOnly }: ConsentScopesProps) => {
  const { t } = useTranslation();
  const scopes = sortScopes(asked);
  const already = scopes.filter((scope) => venue?.granted?.includes(scope));
  const fresh = scopes.filter((scope) => !already.includes(scope));
  const toggle = (scope: Scope) => onTick(ticked.includes(scope) ? ticked.filter((one) => one !== scope) : [...ticked, scope]);
  const line = (scope: Scope) => (
    <ScopeCheckbox
      key={scope}
      scope={scope}
      isTicked={ticked.includes(scope)}
      isLacking={venue?.plan_lacks.includes(scope) ?? false}
      isAlready={already.includes(scope)}
      onToggle={isReadOnly ? null : () => toggle(scope)}
    />
  );
  return (
    <section className="consent-part" aria-labelledby="consent-may">
      <h2 className="consent-heading" id="consent-may">
        {t(isReadOnly ? "consent.asks" : already.length > 0 && fresh.length > 0 ? "consent.mayNew" : "consent.may")}
      </h2>
      {!isReadOnly && (
        <Text size="sm" c="dimmed">
          {t(fresh.length === 0 ? "consent.nothingNew" : already.length > 0 ? "consent.mayNewLead" : "consent.mayLead")}
        </Text>
      )}
      {fresh.length > 0 && <ul className="consent-scopes">{fresh.map(line)}</ul>}
      {already.length > 0 && (
        <details className="more">
          <summary>{t("consent.already", { count: already.length })}</summary>
          <ul className="consent-scopes">{already.map(line)}</ul>
        </details>
      )}
    </section>
  );
};

type ScopeCheckboxProps = { scope: Scope; isTicked: boolean; isLacking: boolean; isAlready: boolean; onToggle: (() => void) | null };

const ScopeCheckbox = ({ scope, isTicked, isLacking, isAlready, onToggle }: ScopeCheckboxProps) => {
  const { t } = useTranslation();
  const words = (
    <>
      {t(`scopes.${scope}`)}{" "}
      {isSensitive(scope) && (
        <Badge color="orange" size="sm" className="consent-mark">
          {t("consent.sensitive")}
        </Badge>
      )}
      {isAlready && (
        <Badge color="gray" size="sm" className="consent-mark">
          {t("consent.alreadyMark")}
        </Badge>
      )}
    </>
  );
  const reasons = (
    <>
      {isSensitive(scope) && <span className="consent-why">{t(`consent.why.${scope}`)}</span>}
      {isLacking && (
        <span className="consent-lacks">
          <WarningIcon size={14} />
          {t("consent.planLacks")}
        </span>
      )}
    </>
  );
  const hasReasons = isSensitive(scope) || isLacking;
  return (
    <li className={isSensitive(scope) ? "consent-scope consent-sensitive" : "consent-scope"}>
      {onToggle ? (
        <Checkbox checked={isTicked} onChange={onToggle} label={words} description={hasReasons && reasons} />
      ) : (
        <div className="consent-plain">
          <KeyIcon size={17} />
          <div>
            <div>{words}</div>
            {hasReasons && <div className="consent-reason">{reasons}</div>}
          </div>
        </div>
      )}
    </li>
  );
};
