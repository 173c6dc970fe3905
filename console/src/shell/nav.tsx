import type { Membership } from "@comanda/contract/console/session.ts";
import type { Feature } from "@comanda/contract/scopes.ts";
import { Link, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import {
  AppsIcon,
  BagIcon,
  BookIcon,
  BoxIcon,
  CalendarIcon,
  ChartIcon,
  ClockIcon,
  DeviceIcon,
  DishesIcon,
  FileIcon,
  FlaskIcon,
  GiftIcon,
  HookIcon,
  KeyIcon,
  ListIcon,
  PercentIcon,
  PersonIcon,
  ReceiptIcon,
  RotaIcon,
  RulesIcon,
  SendIcon,
  ShieldIcon,
  StarIcon,
  TableIcon,
  TakingsIcon,
  TeamIcon,
  TicketIcon,
  TillIcon,
  VenueIcon,
} from "#kit/icons.tsx";

type NavPageName =
  | "orders"
  | "bookings"
  | "menu-today"
  | "takings"
  | "menu"
  | "guests"
  | "gift-cards"
  | "reviews"
  | "stock"
  | "shifts"
  | "own-shifts"
  | "experiences"
  | "restaurant"
  | "hours"
  | "reports"
  | "floor"
  | "booking-rules"
  | "ordering"
  | "charges"
  | "till"
  | "venue-file"
  | "screens"
  | "team"
  | "tokens"
  | "sandbox"
  | "apps"
  | "webhooks"
  | "deliveries"
  | "signature"
  | "activity"
  | "requests";
/** `feature`: what the calls of the page need. A venue whose plan lacks it has no such page. */
type NavItem = { page: NavPageName; icon: ReactNode; isForStaff?: boolean; isForOwners?: boolean; feature?: Feature };
type NavSection = { name: "service" | "manage" | "settings" | "developer"; items: NavItem[] };

const SECTIONS: NavSection[] = [
  {
    name: "service",
    items: [
      { page: "orders", icon: <ReceiptIcon />, isForStaff: true },
      { page: "bookings", icon: <CalendarIcon />, isForStaff: true, feature: "reservations" },
      { page: "menu-today", icon: <DishesIcon />, isForStaff: true },
      { page: "takings", icon: <TakingsIcon /> },
    ],
  },
  {
    name: "manage",
    items: [
      { page: "menu", icon: <BookIcon /> },
      { page: "guests", icon: <PersonIcon />, isForStaff: true },
      { page: "gift-cards", icon: <GiftIcon />, isForStaff: true },
      { page: "reviews", icon: <StarIcon /> },
      { page: "stock", icon: <BoxIcon />, isForStaff: true },
      { page: "shifts", icon: <RotaIcon /> },
      { page: "own-shifts", icon: <ClockIcon />, isForStaff: true },
      { page: "experiences", icon: <TicketIcon />, isForStaff: true },
      { page: "reports", icon: <ChartIcon />, feature: "reporting" },
    ],
  },
  {
    name: "settings",
    items: [
      { page: "restaurant", icon: <VenueIcon /> },
      { page: "hours", icon: <ClockIcon /> },
      { page: "floor", icon: <TableIcon />, feature: "reservations" },
      { page: "booking-rules", icon: <RulesIcon />, feature: "reservations" },
      { page: "ordering", icon: <BagIcon /> },
      { page: "charges", icon: <PercentIcon /> },
      { page: "team", icon: <TeamIcon /> },
      { page: "screens", icon: <DeviceIcon /> },
      { page: "till", icon: <TillIcon /> },
      { page: "venue-file", icon: <FileIcon />, isForOwners: true },
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

/** The feature of the page with this name in its address, and of the pages below it. */
export const featureOf = (page: string | undefined): Feature | undefined =>
  SECTIONS.flatMap(({ items }) => items).find((item) => item.page === page)?.feature;

const isShown = ({ isForStaff, isForOwners, feature }: NavItem, { role, features }: Membership): boolean =>
  (isForOwners ? role === "owner" : isForStaff || role !== "staff") && (!feature || features.includes(feature));

/** The sections with the pages that the role may open and the plan includes. */
const sectionsFor = (membership: Membership): NavSection[] =>
  SECTIONS.map(({ name, items }) => ({ name, items: items.filter((item) => isShown(item, membership)) })).filter(
    ({ items }) => items.length > 0,
  );

/** The list is longer than a window: the page that is open must be seen in it. */
const useOpenPageInSight = (): void => {
  const page = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another page is open.
  useEffect(() => {
    // Browsers may answer with a promise, which is no way to end an effect.
    document.querySelector(".nav-link[aria-current=page]")?.scrollIntoView({ block: "nearest" });
  }, [page]);
};

export const NavPages = ({ venue, membership }: { venue: string; membership: Membership }) => {
  const { t } = useTranslation();
  useOpenPageInSight();
  return (
    <>
      {sectionsFor(membership).map(({ name, items }) => (
        <section key={name} className="nav-section" aria-labelledby={`nav-${name}`}>
          <h2 id={`nav-${name}`} className="nav-title">
            {t(`navGroups.${name}`)}
          </h2>
          <ul>
            {items.map(({ page, icon }) => (
              <li key={page}>
                <Link
                  to={`/v/$venue/${page}`}
                  params={{ venue: name === "developer" ? venue : membership.slug }}
                  className={`nav-link nav-${page}`}
                >
                  {icon}
                  <span>{t(`nav.${page}`)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {membership.role !== "staff" && (
        <a className="nav-link nav-foot" href="/docs" target="_blank" rel="noreferrer">
          <BookIcon />
          <span>{t("nav.reference")}</span>
        </a>
      )}
    </>
  );
};
