import type { TokenRow } from "@comanda/contract/console/tokens.ts";

const WIDTH = 144;
const HEIGHT = 30;
const GAP = 1.5;

/** A bar for each hour, with errors in red at the bottom. Any count above zero is visible. */
export const Sparkline = ({ hours, label }: { hours: TokenRow["hours"]; label: string }) => {
  const most = Math.max(1, ...hours.map(({ requests }) => requests));
  const step = WIDTH / Math.max(1, hours.length);
  const tall = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT));
  return (
    <svg className="sparkline" role="img" aria-label={label} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      {hours.map(({ requests, errors }, hour) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place in the day is what a bar is.
        <g key={hour}>
          <rect className="bar-base" x={hour * step} y={HEIGHT - 1} width={step - GAP} height={1} />
          <rect className="bar" x={hour * step} y={HEIGHT - tall(requests)} width={step - GAP} height={tall(requests)} rx={1} />
          <rect className="bar-error" x={hour * step} y={HEIGHT - tall(errors)} width={step - GAP} height={tall(errors)} rx={1} />
        </g>
      ))}
    </svg>
  );
};
