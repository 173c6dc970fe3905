import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { AppsIcon, BookIcon, ClockIcon, FlaskIcon, HookIcon, KeyIcon, ListIcon, SendIcon, ShieldIcon } from "./icons.tsx";

type PageName = "tokens" | "sandbox" | "apps" | "webhooks" | "deliveries" | "signature" | "activity" | "requests";
type Item = { page: PageName; icon: ReactNode };
type Section = { name: "build" | "listen" | "look"; items: Item[] };

const SECTIONS: Section[] = [
  {
    name: "build",
    items: [
      { page: "tokens", icon: <KeyIcon /> },
      { page: "sandbox", icon: <FlaskIcon /> },
      { page: "apps", icon: <AppsIcon /> },
    ],
  },
  {
    name: "listen",
    items: [
      { page: "webhooks", icon: <HookIcon /> },
      { page: "deliveries", icon: <SendIcon /> },
      { page: "signature", icon: <ShieldIcon /> },
    ],
  },
  {
    name: "look",
    items: [
      { page: "activity", icon: <ClockIcon /> },
      { page: "requests", icon: <ListIcon /> },
    ],
  },
];

export const NavPages = ({ venue }: { venue: string }) => {
  const { t } = useTranslation();
  return (
    <>
      {SECTIONS.map(({ name, items }) => (
        <section key={name} className="nav-section" aria-labelledby={`nav-${name}`}>
          <h2 id={`nav-${name}`} className="nav-title">
            {t(`nav.${name}`)}
          </h2>
          <ul>
            {items.map(({ page, icon }) => (
              <li key={page}>
                <Link to={`/v/$venue/${page}`} params={{ venue }} className={`nav-link nav-${page}`}>
                  {icon}
                  <span>{t(`nav.${page}`)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <a className="nav-link nav-foot" href="/docs" target="_blank" rel="noreferrer">
        <BookIcon />
        <span>{t("nav.reference")}</span>
      </a>
    </>
  );
};
