/** A screen on a wall with three tickets. */
import "./picture.css";

const TICKETS = [
  { x: 22, height: 34, lines: 3 },
  { x: 50, height: 26, lines: 2 },
  { x: 78, height: 40, lines: 4 },
];

export const ScreenPicture = () => (
  <svg className="screen-picture" viewBox="0 0 124 92" aria-hidden="true" fill="none">
    <rect className="picture-frame" x="8" y="6" width="108" height="66" rx="7" />
    <path className="picture-foot" d="M62 72v12M44 86h36" />
    {TICKETS.map(({ x, height, lines }, ticket) => (
      <g key={x}>
        <rect className="picture-ticket" x={x} y="16" width="24" height={height} rx="2.5" />
        <rect className={ticket === 0 ? "picture-head picture-late" : "picture-head"} x={x} y="16" width="24" height="6" rx="2.5" />
        <path
          className="picture-lines"
          d={Array.from({ length: lines }, (_, line) => `M${x + 4} ${28 + line * 6.5}h${line % 2 ? 11 : 16}`).join("")}
        />
      </g>
    ))}
  </svg>
);
