/**
 * The menu of a button, as a popover of the browser. A list can have hundreds of these buttons: a closed menu is one empty element, and an
 * open one is placed by the browser, so it opens at once on a slow device.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

type ActionMenuProps = { label: string; className: string; icon: ReactNode; children: ReactNode };

/** The place of the item that a key leads to, among `count`. Null: the key leads nowhere. */
const placeOf = (key: string, place: number, count: number): number | null => {
  const places: Record<string, number> = { ArrowDown: (place + 1) % count, ArrowUp: (place - 1 + count) % count, Home: 0, End: count - 1 };
  return places[key] ?? null;
};

const moveFocus = (event: KeyboardEvent<HTMLElement>): void => {
  const menu = event.currentTarget;
  if (event.key === "Tab") menu.hidePopover();
  const items = [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const place = placeOf(event.key, items.indexOf(document.activeElement as HTMLElement), items.length);
  if (place === null) return;
  event.preventDefault();
  items[place]?.focus();
};

/** The children are drawn while the menu is open. */
export const ActionMenu = ({ label, className, icon, children }: ActionMenuProps) => {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (isOpen) menu.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [isOpen]);
  return (
    <>
      <button type="button" className={`action-menu-button ${className}`} aria-label={label} aria-haspopup="menu" popoverTarget={id}>
        {icon}
      </button>
      <div
        id={id}
        ref={menu}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="action-menu"
        onBeforeToggle={({ newState }) => setIsOpen(newState === "open")}
        onKeyDown={moveFocus}
      >
        {isOpen && children}
      </div>
    </>
  );
};

type ActionProps = { icon: ReactNode; className?: string; onSelect: () => void; children: ReactNode };

export const MenuAction = ({ icon, className = "", onSelect, children }: ActionProps) => (
  <button
    type="button"
    role="menuitem"
    tabIndex={-1}
    className={`menu-action ${className}`}
    onClick={({ currentTarget }) => {
      // The focus is back at the button before a dialog opens, so that the dialog returns it there.
      currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
      onSelect();
    }}
  >
    {icon}
    {children}
  </button>
);
