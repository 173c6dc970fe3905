/** A state as shape, colour and word: readable without colour vision. */
import type { ReactNode } from "react";

export type StateMarkKind = "good" | "bad" | "wait" | "hold" | "go";

const SHAPES: Record<StateMarkKind, ReactNode> = {
  good: (
    <>
      <circle cx="8" cy="8" r="7" className="mark-fill" />
      <path d="m4.800 8.200 2.200 2.200 4.200-4.600" className="mark-sign" />
    </>
  ),
  bad: (
    <>
      <path d="M8 .6 15.400 8 8 15.400.6 8z" className="mark-fill" />
      <path d="m5.900 5.900 4.200 4.200m0-4.200-4.200 4.200" className="mark-sign" />
    </>
  ),
  wait: (
    <>
      <circle cx="8" cy="8" r="6.3" className="mark-ring" />
      <path d="M8 4.600V8l2.300 1.500" className="mark-hand" />
    </>
  ),
  hold: (
    <>
      <rect x="1.500" y="1.500" width="13" height="13" rx="3" className="mark-ring" />
      <path d="M6.200 5.400v5.200m3.600-5.200v5.200" className="mark-hand" />
    </>
  ),
  go: (
    <>
      <circle cx="8" cy="8" r="6.3" className="mark-ring" />
      <circle cx="8" cy="8" r="2.400" className="mark-dot" />
    </>
  ),
};

export const StateMark = ({ mark, children }: { mark: StateMarkKind; children: ReactNode }) => (
  <span className={`state-mark mark-${mark}`}>
    <svg aria-hidden="true" width="16" height="16" viewBox="0 0 16 16">
      {SHAPES[mark]}
    </svg>
    <span>{children}</span>
  </span>
);
