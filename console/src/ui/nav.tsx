import type { Role } from "@comanda/contract/console/operation.ts";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import {
  AppsIcon,
  BookIcon,
  CalendarIcon,
  ChartIcon,
  ClockIcon,
  DeviceIcon,
  DishesIcon,
  FlaskIcon,
  HookIcon,
  KeyIcon,
  ListIcon,
  PersonIcon,
  ReceiptIcon,
  RulesIcon,
  SendIcon,
  ShieldIcon,
  TableIcon,
  TakingsIcon,
} from "./icons.tsx";

type NavPageName =
  | "orders"
  | "bookings"
  | "menu-today"
  | "takings"
  | "menu"
  | "guests"
  | "reports"
  | "floor"
  | "booking-rules"
  | "screens"
  | "tokens"
  | "sandbox"
  | "apps"
  | "webhooks"
  | "deliveries"
  | "signature"
  | "activity"
  | "requests";
type NavItem = { page: NavPageName; icon: ReactNode; isForStaff?: boolean };
type NavSection = { name: "service" | "manage" | "settings" | "developer"; items: NavItem[] };

const SECTIONS: NavSection[] = [
  {
    name: "service",
    items: [
      { page: "orders", icon: <ReceiptIcon />, isForStaff: true },
      { page: "bookings", icon: <CalendarIcon />, isForStaff: true },
      { page: "menu-today", icon: <DishesIcon />, isForStaff: true },
      { page: "takings", icon: <TakingsIcon /> },
    ],
  },
  {
    name: "manage",
    items: [
      { page: "menu", icon: <BookIcon /> },
      { page: "guests", icon: <PersonIcon />, isForStaff: true },
      { page: "reports", icon: <ChartIcon /> },
    ],
  },
  {
    name: "settings",
    items: [
      { page: "floor", icon: <TableIcon /> },
      { page: "booking-rules", icon: <RulesIcon /> },
      { page: "screens", icon: <DeviceIcon /> },
    ],
  },
  {
    name: "developer",
    items: [
      { page: "tokens", icon: <KeyIcon /> },
      { page: "sandbox", icon: <FlaskIcon /> },
      { page: "apps", icon: <AppsIcon /> },
      { page: "webhooks", icon: <HookIcon /> },
      { page: "deliveries", icon: <SendIcon /> },
      { page: "signature", icon: <ShieldIcon /> },
      { page: "activity", icon: <ClockIcon /> },
      { page: "requests", icon: <ListIcon /> },
    ],
  },
];

/** The sections with the pages that a role may open. */
const sectionsFor = (role: Role): NavSection[] =>
  SECTIONS.map(({ name, items }) => ({ name, items: items.filter(({ isForStaff }) => isForStaff || role !== "staff") })).filter(
    ({ items }) => items.length > 0,
  );

export const NavPages = ({ venue, role }: { venue: string; role: Role }) => {
  const { t } = useTranslation();
  return (
    <>
      {sectionsFor(role).map(({ name, items }) => (
        <section key={name} className="nav-section" aria-labelledby={`nav-${name}`}>
          <h2 id={`nav-${name}`} className="nav-title">
            {t(`navGroups.${name}`)}
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
      {role !== "staff" && (
        <a className="nav-link nav-foot" href="/docs" target="_blank" rel="noreferrer">
          <BookIcon />
          <span>{t("nav.reference")}</span>
        </a>
      )}
    </>
  );
};
