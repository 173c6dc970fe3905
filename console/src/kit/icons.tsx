/** Icons on a 24-unit grid. They are hidden from screen readers; the text beside them is read. */
import type { ReactNode } from "react";

const icon =
  (shape: ReactNode, { isDirectional = false } = {}) =>
  ({ size = 18 }: { size?: number }) => (
    <svg
      aria-hidden="true"
      className={isDirectional ? "directional" : undefined}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {shape}
    </svg>
  );

export const KeyIcon = icon(<path d="M14.5 9.5a5 5 0 1 0-3.6 4.8l1.6 1.7h2v2h2v2h3.5v-3.2l-6-6a5 5 0 0 0 .5-1.3zM8.2 8.2h.01" />);
export const FlaskIcon = icon(
  <path d="M9.5 3h5M10.5 3v6.2L5 18.4A1.8 1.8 0 0 0 6.6 21h10.8a1.8 1.8 0 0 0 1.6-2.6L13.5 9.2V3M7.8 15h8.4" />,
);
export const ShieldIcon = icon(<path d="M12 3 5 5.8v5.4c0 4.4 3 7.9 7 9.8 4-1.9 7-5.4 7-9.8V5.8zM9 11.8l2.2 2.2L15.2 10" />);
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7v5l3.2 2" />
  </>,
);
export const ListIcon = icon(<path d="M8.5 6.5h11M8.5 12h11M8.5 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01" />);
export const BookIcon = icon(
  <path d="M12 6.5C10.3 5.2 7.8 4.7 4 4.7v13.6c3.8 0 6.3.5 8 1.8 1.7-1.3 4.2-1.8 8-1.8V4.7c-3.8 0-6.3.5-8 1.8zm0 0v13.4" />,
);
export const CalendarIcon = icon(<path d="M4.500 6.500h15v13h-15zM4.500 10.500h15M8.500 4v4M15.500 4v4" />);
export const RotaIcon = icon(<path d="M4.500 6.500h15v13h-15zM4.500 11h15M8.500 4v4M15.500 4v4M7.500 14.500h5M11.500 17h5" />);
export const ChartIcon = icon(<path d="M5 19.5V11M12 19.5v-15M19 19.5V8" />);
export const ChevronIcon = icon(<path d="m7.5 10 4.5 4.5 4.5-4.5" />);
export const ForwardIcon = icon(<path d="m9.5 6 6 6-6 6" />, { isDirectional: true });
export const MinusIcon = icon(<path d="M5.5 12h13" />);
export const DishesIcon = icon(
  <path d="M6.500 3.500v6M4 3.500v4a2.500 2.500 0 0 0 5 0v-4M6.500 10v10.500M17 20.500v-17c-2.300 1-3.500 3.200-3.500 6v3.500H17" />,
);
export const PlusIcon = icon(<path d="M12 5.5v13M5.5 12h13" />);
export const CopyIcon = icon(
  <path d="M9.5 8.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM5.5 15.5a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1" />,
);
export const CheckIcon = icon(<path d="m5.5 12.5 4.3 4.3 8.7-9.3" />);
export const GripIcon = icon(<path strokeWidth="2.6" d="M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01" />);
export const DotsIcon = icon(<path strokeWidth="2.6" d="M5.5 12h.01M12 12h.01M18.5 12h.01" />);
export const WarningIcon = icon(
  <path d="M12 9v4.2M12 16.6h.01M10.5 4.5 3.2 17.4A1.7 1.7 0 0 0 4.7 20h14.6a1.7 1.7 0 0 0 1.5-2.6L13.5 4.5a1.7 1.7 0 0 0-3 0z" />,
);
export const RollIcon = icon(<path d="M19.5 5v4.5H15M4.5 19v-4.5H9M18.8 9.5A7.5 7.5 0 0 0 5.7 8M5.2 14.5A7.5 7.5 0 0 0 18.3 16" />);
export const BinIcon = icon(
  <path d="M4.5 6.5h15M9.5 6.5v-2h5v2M6.5 6.5l.8 12a1.2 1.2 0 0 0 1.2 1.1h7a1.2 1.2 0 0 0 1.2-1.1l.8-12M10.2 10.5v5M13.8 10.5v5" />,
);
export const PersonIcon = icon(
  <>
    <circle cx="12" cy="8" r="3.7" />
    <path d="M4.8 20c.8-3.6 3.7-5.5 7.2-5.5s6.4 1.9 7.2 5.5" />
  </>,
);
export const TeamIcon = icon(
  <path d="M9 11.500a3.300 3.300 0 1 0 0-6.600 3.300 3.300 0 0 0 0 6.600M3 19.500c.6-3.200 3-5 6-5s5.400 1.800 6 5M15.500 5.200a3.200 3.200 0 0 1 0 6M17.500 14.800c1.800.7 3 2.300 3.500 4.700" />,
);
export const StarIcon = icon(<path d="M12 3.8l2.500 5.200 5.700.8-4.100 4 1 5.700-5.100-2.700-5.100 2.700 1-5.700-4.100-4 5.700-.8z" />);
export const GiftIcon = icon(
  <path d="M4.5 11.500h15v8.500h-15zM3.500 8h17v3.500h-17zM12 8v12M12 8c-4.500 0-4.500-4 0 0c4.500-4 4.500 0 0 0" />,
);
export const BoxIcon = icon(<path d="M4 8l8-4 8 4v8.500l-8 4-8-4zM4 8l8 4 8-4M12 12v8.500M8 6l8 4" />);
export const TicketIcon = icon(
  <path d="M3.500 7.500h17v3a1.500 1.500 0 0 0 0 3v3h-17v-3a1.500 1.500 0 0 0 0-3zM14.500 9v1.500M14.500 13.500V15" />,
);
export const SignOutIcon = icon(<path d="M14 4.500h-8a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1h8M10.5 12h9m-3.5-3.5 3.5 3.5-3.5 3.5" />, {
  isDirectional: true,
});
export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v1.500M12 19.500V21M3 12h1.500M19.5 12H21M5.6 5.600l1.1 1.100M17.3 17.300l1.1 1.100M18.4 5.600l-1.1 1.100M6.7 17.300l-1.1 1.1" />
  </>,
);
export const DeviceIcon = icon(<path d="M4.5 5.500h15v10.500h-15zM9 19.500h6M12 16v3.5" />);
export const TableIcon = icon(<path d="M4 8.500h16M6.500 8.500 5 18.500M17.500 8.500l1.500 10M8 12.500h8" />);
export const RulesIcon = icon(
  <path d="M4.500 6.500h6M15 6.500h4.500M4.500 12h9M18 12h1.500M4.500 17.500h3M12 17.500h7.500M12.500 4.500v4M15.500 10v4M9.500 15.500v4" />,
);
export const GlobeIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M3.5 12h17M12 3.500c2.3 2.4 3.5 5.3 3.5 8.500s-1.2 6.1-3.5 8.500c-2.3-2.4-3.5-5.3-3.5-8.500s1.2-6.1 3.5-8.500z" />
  </>,
);
export const VenueIcon = icon(
  <path d="M4.5 10 6 4.500h12l1.5 5.500M4.5 10a2.5 2.5 0 0 0 5 0 2.5 2.5 0 0 0 5 0 2.5 2.5 0 0 0 5 0M6 12.400v7.100h12v-7.100M10 19.500v-4h4v4" />,
);
export const EditIcon = icon(
  <path d="M14.500 5.500 18.500 9.500M4.500 19.500l1-4.500L16 4.500a1.400 1.400 0 0 1 2 0l1.500 1.500a1.400 1.400 0 0 1 0 2L9 18.500z" />,
);
export const PauseIcon = icon(<path d="M8.500 5.500v13M15.500 5.500v13" />);
export const PlayIcon = icon(<path d="M7.500 5v14l11-7z" />);
export const HookIcon = icon(
  <path d="M9 8.5a3.5 3.5 0 1 1 5.4 2.9l2.8 4.9M12 8.5l-3.3 6M8.6 14.3A3.5 3.5 0 1 0 9.8 18H16a3 3 0 1 0 .9-2.2" />,
);
export const SendIcon = icon(<path d="M20.5 3.5 10 14M20.5 3.5l-6.2 17-4.3-6.5-6.5-4.3z" />, { isDirectional: true });
export const AppsIcon = icon(<path d="M4.500 4.500h6v6h-6zM4.500 13.500h6v6h-6zM13.500 13.500h6v6h-6zM16.500 4v7M13 7.500h7" />);
export const ReceiptIcon = icon(
  <path d="M6 3.500h12v17l-2.400-1.600-2 1.600-1.600-1.600-1.600 1.600-2-1.600L6 20.500zM9 8h6M9 11.500h6M9 15h3.500" />,
);
export const TakingsIcon = icon(
  <path d="M3.500 7h17v10.500h-17zM12 9.700a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5M6.500 12.200h.01M17.500 12.200h.01" />,
);
export const BellIcon = icon(<path d="M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15zM10 20.500h4M12 3v2" />);
export const BellOffIcon = icon(<path d="M6 16.500V11c0-1 .2-1.900.7-2.700M9 5.800A6 6 0 0 1 18 11v4M4.500 18H17M10 20.500h4M4 4l16 16" />);
export const PrintIcon = icon(<path d="M7 9V4h10v5M7 17H4.500V9h15v8H17M7 14h10v6.500H7z" />);
export const SearchIcon = icon(<path d="M10.500 4.500a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5" />);
export const UndoIcon = icon(<path d="M8.500 5 4.500 9l4 4M4.500 9h9a5.500 5.500 0 0 1 0 11H9" />, { isDirectional: true });
export const NoIcon = icon(<path d="m6.500 6.500 11 11M17.500 6.500l-11 11" />);
export const BagIcon = icon(<path d="M5.500 8.500h13l1 11.500h-15zM8.500 11V7a3.500 3.500 0 0 1 7 0v4" />);
export const PercentIcon = icon(
  <path d="M18 6 6 18M8 5.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5M16 13.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5" />,
);
export const TillIcon = icon(<path d="M4 13.500h16v6H4zM6.500 13.500 8 8.500h8l1.500 5M10 8.500v-4h4v4M10.500 16.500h3" />);
export const FileIcon = icon(<path d="M6 3.500h8l4.500 4.500v12.500H6zM14 3.500V8h4.500M12 11v6m-2.500-2.500L12 17l2.500-2.500" />);
