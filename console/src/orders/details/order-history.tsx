/** What the kitchen has of an order, and who did what. */
import "#developer/log-texts.ts";
import type { OrderDetails, OrderStep } from "@comanda/contract/console/orders.ts";
import type { OrderLine } from "@comanda/contract/venue/orders.ts";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { actionKey } from "#developer/activity/activity-labels.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatClock, formatClockSeconds } from "#kit/venue-time.ts";
import { useBoardContext } from "../order-actions.ts";

export const OrderTickets = ({ tickets }: Pick<OrderDetails, "tickets">) => {
  const { t } = useTranslation();
  const { zone } = useBoardContext();
  return (
    <section>
      <h3 className="item-title">{t("details.tickets")}</h3>
      {tickets.length === 0 && <Text c="dimmed">{t("details.noTickets")}</Text>}
      <ul className="detail-list">
        {tickets.map(({ id, station, state, release_at }) => (
          <li key={id}>
            <span className="grow">
              <bdi>{station}</bdi>
            </span>
            <span>
              {t(`details.ticketStates.${state}`)}
              {state === "held" && release_at !== null && ` ${t("details.release", { time: formatClock(release_at, zone) })}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

export const OrderStepList = ({ steps, lines }: Pick<OrderDetails, "steps"> & { lines: readonly OrderLine[] }) => {
  const { t } = useTranslation();
  return (
    <section>
      <h3 className="item-title">{t("details.steps")}</h3>
      <ol className="detail-list step-list">
        {steps.map((step) => (
          <StepItem key={step.id} step={step} line={lines.find(({ id }) => id === step.after?.line_id)} />
        ))}
      </ol>
    </section>
  );
};

const StepItem = ({ step, line }: { step: OrderStep; line: OrderLine | undefined }) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { zone } = useBoardContext();
  const key = actionKey(step);
  const who = step.actor_kind === "operator" ? t("activity.theOperator") : step.actor_name || t(`activity.actors.${step.actor_kind}`);
  return (
    <li>
      <time className="figures quiet" dateTime={step.at}>
        {formatClockSeconds(step.at, zone)}
      </time>
      <span className="grow">
        <bdi>
          <b>{who}</b>
        </bdi>{" "}
        {key === null ? step.action : t(key, { name: "" })}
        {line && (
          <span className="hint detail-by">
            {line.quantity}× <bdi>{pick(line.name)}</bdi>
          </span>
        )}
        {step.reason && (
          <span className="hint detail-by">
            <bdi>{step.reason}</bdi>
          </span>
        )}
      </span>
    </li>
  );
};
