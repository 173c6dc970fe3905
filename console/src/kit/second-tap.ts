/** A tap on the place of the last one, so soon after it, was meant for what stood there before: the answer has moved the page. */
type Tapped = { clientX: number; clientY: number; detail: number };

const SOON_MS = 700;
const NEAR_PX = 40;

let last: { x: number; y: number; at: number; subject: string } | null = null;

/** `subject` names what the tap is about. A repeated tap on the same subject is the button's own matter. */
export const isMisplacedTap = ({ clientX: x, clientY: y, detail }: Tapped, subject: string, at = performance.now()): boolean => {
  // A key has no place.
  if (detail === 0) return false;
  const before = last;
  last = { x, y, at, subject };
  if (before === null || before.subject === subject || at - before.at > SOON_MS) return false;
  return Math.hypot(x - before.x, y - before.y) < NEAR_PX;
};
