/** Experiences with their sessions: what is sold, held and left. Staff open a session to sell; managers also keep experiences and sessions. */
import "./experiences.css";
import type { ExperienceDesk, ExperienceSession, ListedExperience } from "@comanda/contract/console/experiences.ts";
import { Button, Group, Skeleton, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { ForwardIcon, TicketIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatMoney } from "#kit/number-format.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useRole, useVenue } from "#shell/venue.ts";
import { ExperienceDialog } from "./experience-dialog.tsx";
import { deskQuery } from "./experience-queries.ts";
import { PlanDialog } from "./plan-dialog.tsx";
import { formatSession, leftOf } from "./session-figures.ts";
import { enExperiences } from "./texts.en.ts";

addEnglishTexts(enExperiences);

export const ExperiencesPage = () => {
  const { t } = useTranslation();
  const [from, setFrom] = useState<string | null>(null);
  const desk = useQuery(deskQuery(useVenue(), from));
  return (
    <Page title={t("experiences.title")} name={t("experiences.title")} lead={t("experiences.lead")}>
      {desk.error && !desk.data && <ErrorAlert error={desk.error} onRetry={() => void desk.refetch()} />}
      {desk.isPending && <Skeleton height={360} radius="lg" role="status" aria-label={t("common.loading")} />}
      {desk.data && <Desk desk={desk.data} onFrom={setFrom} />}
    </Page>
  );
};

type DeskDialog = { kind: "add" } | { kind: "change" | "plan"; id: number } | null;

const Desk = ({ desk, onFrom }: { desk: ExperienceDesk; onFrom: (from: string) => void }) => {
  const { t } = useTranslation();
  const isManager = useRole() !== "staff";
  const [open, setOpen] = useState<DeskDialog>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <div className="experience-tools">
        {isManager && (
          <Button size="md" onClick={() => setOpen({ kind: "add" })}>
            {t("experiences.add")}
          </Button>
        )}
        {desk.experiences.length > 0 && (
          <TextInput
            type="date"
            size="md"
            label={t("experiences.from")}
            required
            withAsterisk={false}
            value={desk.from}
            onChange={({ currentTarget: { value } }) => value !== "" && onFrom(value)}
          />
        )}
      </div>
      {desk.experiences.length === 0 ? <NoExperiences isManager={isManager} /> : <Experiences desk={desk} onOpen={setOpen} />}
      <Cut desk={desk} onFrom={onFrom} />
      {open?.kind === "add" && <ExperienceDialog desk={desk} id={null} onClose={close} />}
      {open?.kind === "change" && <ExperienceDialog desk={desk} id={open.id} onClose={close} />}
      {open?.kind === "plan" && <PlanDialog desk={desk} experienceId={open.id} onClose={close} />}
    </>
  );
};

const NoExperiences = ({ isManager }: { isManager: boolean }) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<TicketIcon size={28} />} title={t("experiences.emptyTitle")}>
      <Text c="dimmed">{t(isManager ? "experiences.emptyLead" : "experiences.emptyStaff")}</Text>
    </EmptyState>
  );
};

/** The day of the last session that is shown: the next ones begin with it. */
const lastDayOf = ({ sessions, zone }: ExperienceDesk): string | null => {
  const last = sessions.at(-1);
  return last ? new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(new Date(last.starts_at)) : null;
};

const Cut = ({ desk, onFrom }: { desk: ExperienceDesk; onFrom: (from: string) => void }) => {
  const { t } = useTranslation();
  const next = lastDayOf(desk);
  return (
    <Group gap="md">
      {desk.is_cut && next !== null && next !== desk.from && (
        <Button size="md" variant="default" onClick={() => onFrom(next)}>
          {t("experiences.later")}
        </Button>
      )}
      <Text size="sm" c="dimmed">
        {t("experiences.clock", { zone: desk.zone.replaceAll("_", " ") })}
      </Text>
    </Group>
  );
};

const Experiences = ({ desk, onOpen }: { desk: ExperienceDesk; onOpen: (dialog: DeskDialog) => void }) =>
  desk.experiences.map((experience) => (
    <ExperienceCard
      key={experience.id}
      desk={desk}
      experience={experience}
      sessions={desk.sessions.filter(({ experience_id }) => experience_id === experience.id)}
      onOpen={onOpen}
    />
  ));

type ExperienceCardProps = {
  desk: ExperienceDesk;
  experience: ListedExperience;
  sessions: readonly ExperienceSession[];
  onOpen: (dialog: DeskDialog) => void;
};

const ExperienceCard = ({ desk, experience, sessions, onOpen }: ExperienceCardProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const name = pick(experience.name);
  const branch = desk.branches.find(({ key }) => key === experience.branch);
  const price = experience.price_minor === 0 ? t("experiences.free") : formatMoney(experience.price_minor, desk.currency);
  return (
    <section className="sheet experience-card" aria-label={name}>
      <div className="experience-head">
        <div className="experience-what">
          <h2 className="experience-name">
            <bdi>{name}</bdi>
          </h2>
          <span className="hint">
            {experience.price_minor === 0 ? price : t("experiences.each", { price })}
            {desk.branches.length > 1 && branch && (
              <>
                {" "}
                · <bdi>{pick(branch.name)}</bdi>
              </>
            )}
          </span>
          {(!experience.is_active || experience.is_removed) && <span className="experience-mark">{t("experiences.inactive")}</span>}
        </div>
        {!experience.is_removed && <CardActions id={experience.id} name={name} onOpen={onOpen} />}
      </div>
      {sessions.length === 0 ? (
        <Text c="dimmed">{t("experiences.noSessions")}</Text>
      ) : (
        <ul className="experience-sessions" aria-label={t("experiences.sessionsOf", { name })}>
          {sessions.map((session) => (
            <li key={session.id}>
              <SessionLink session={session} zone={desk.zone} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const CardActions = ({ id, name, onOpen }: { id: number; name: string; onOpen: (dialog: DeskDialog) => void }) => {
  const { t } = useTranslation();
  if (useRole() === "staff") return null;
  return (
    <Group gap="xs">
      <Button
        size="md"
        variant="default"
        aria-label={t("experiences.addSessionsOf", { name })}
        onClick={() => onOpen({ kind: "plan", id })}
      >
        {t("experiences.addSessions")}
      </Button>
      <Button size="md" variant="default" aria-label={t("experiences.changeOf", { name })} onClick={() => onOpen({ kind: "change", id })}>
        {t("experiences.change")}
      </Button>
    </Group>
  );
};

const SessionLink = ({ session, zone }: { session: ExperienceSession; zone: string }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const left = leftOf(session);
  return (
    <Link to="/v/$venue/experiences/sessions/$session" params={{ venue, session: String(session.id) }} className="experience-session">
      <time dateTime={session.starts_at} className="figures experience-when">
        {formatSession(session.starts_at, zone)}
      </time>
      <span className="experience-counts figures">
        <span>{t("experiences.sold", { count: session.sold })}</span>
        <span>{t("experiences.held", { count: session.held })}</span>
        {session.is_cancelled ? (
          <span className="experience-mark">{t("experiences.cancelled")}</span>
        ) : (
          <span className={left === 0 ? "experience-mark" : undefined}>
            {left === 0 ? t("experiences.full") : t("experiences.left", { count: left })}
          </span>
        )}
      </span>
      <span className="experience-go">
        <ForwardIcon />
      </span>
    </Link>
  );
};
