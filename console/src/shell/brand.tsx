/** A kitchen order slip. */
export const BrandMark = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <path className="mark-paper" d="M7 3h18a2 2 0 0 1 2 2v24l-3.7-2.400L19.7 29 16 26.6 12.3 29l-3.6-2.400L5 29V5a2 2 0 0 1 2-2z" />
    <path className="mark-lines" fill="none" strokeWidth="2.4" strokeLinecap="round" d="M10.5 10h11M10.5 15h11M10.5 20h6" />
  </svg>
);
