/** The last orders that were sent to the till, or are on their way. */
import type { TillPush } from "@comanda/contract/console/till.ts";
import { Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { StateMark, type StateMarkKind } from "#developer/state-mark.tsx";
import { RelativeTime } from "#kit/relative-time.tsx";

type PushState = "sent" | "waiting" | "due" | "failed";

const stateOf = ({ state }: TillPush): PushState =>
  state === "done" ? "sent" : state === "failed" ? "failed" : state === "ready" ? "due" : "waiting";

const MARKS: Record<PushState, StateMarkKind> = { sent: "good", waiting: "wait", due: "go", failed: "bad" };

type PushListProps = { pushes: readonly TillPush[]; isConnected: boolean };

export const PushList = ({ pushes, isConnected }: PushListProps) => {
  const { t } = useTranslation();
  if (pushes.length === 0 && !isConnected) return null;
  return (
    <section aria-labelledby="till-pushes">
      <Title order={2} className="item-title" id="till-pushes" mb="sm">
        {t("till.pushes")}
      </Title>
      {pushes.length === 0 ? (
        <Text c="dimmed">{t("till.pushesNone")}</Text>
      ) : (
        <ul className="sheet till-pushes">
          {pushes.map((push) => (
            <PushItem key={push.id} push={push} />
          ))}
        </ul>
      )}
    </section>
  );
};

/** The end of an order's id is what staff read aloud. */
const shortId = (id: string): string => id.slice(-6);

const PushItem = ({ push }: { push: TillPush }) => {
  const { t } = useTranslation();
  const state = stateOf(push);
  return (
    <li className="till-push">
      <StateMark mark={MARKS[state]}>{t(`till.states.${state}`)}</StateMark>
      <span>
        {t("till.order")} <span className="code">{shortId(push.order_id)}</span>
      </span>
      <span className="quiet">
        <RelativeTime at={push.created_at} />
      </span>
      {push.attempts > 1 && <span className="quiet">{t("till.attempts", { count: push.attempts })}</span>}
      {push.last_failure && state !== "sent" && (
        <span className="till-reason" dir="auto">
          {t(`reasons.${push.last_failure.code}`, push.last_failure.values)}
        </span>
      )}
      {state === "waiting" && push.due_at && (
        <span className="quiet">
          {t("till.next")} <RelativeTime at={push.due_at} />
        </span>
      )}
    </li>
  );
};
