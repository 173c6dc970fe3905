/**
 * Bars of one or two series, made of plain elements: they mirror in Arabic by themselves, and a bar is a button that opens its orders.
 * The second series has an outline instead of a filling, so that colour is never alone.
 */
import { useTranslation } from "react-i18next";

/** `Value` is `Minor` where the bars are amounts: then only a format for amounts fits. */
export type Bar<Value extends number> = { key: string; label: string; name: string; values: Value[] };

type BarsProps<Value extends number> = {
  title: string;
  bars: Bar<Value>[];
  series: string[];
  format: (value: Value) => string;
  /** The scale reaches this far at least. */
  scaleMin: Value;
  /** Lines from the reading side, for long names. */
  isSideways?: boolean;
  onOpen?: (key: string, name: string) => void;
};

/** More bars than this are too narrow to be tapped; the table opens their orders. */
const BUTTONS_MAX = 31;
const LABELS_MAX = 12;

const percentOf = (value: number, most: number): string => `${Math.max(0, (value / most) * 100)}%`;

export const Bars = <Value extends number>({ title, bars, series, format, scaleMin, isSideways = false, onOpen }: BarsProps<Value>) => {
  const { t } = useTranslation();
  const [most = scaleMin] = [scaleMin, ...bars.flatMap(({ values }) => values)].toSorted((a, b) => b - a);
  const isOpened = isSideways || bars.length <= BUTTONS_MAX;
  const step = Math.ceil(bars.length / LABELS_MAX);
  const said = ({ name, values }: Bar<Value>): string =>
    `${name}: ${values.map((value, place) => (series.length > 1 ? `${series[place]} ${format(value)}` : format(value))).join(", ")}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
    <section className="report-scroll" aria-label={t("reports.chartOf", { title })} tabIndex={0}>
      {series.length > 1 && <Legend series={series} />}
      {!isSideways && <p className="bars-most">{format(most)}</p>}
      <ul className={isSideways ? "bars-lines" : "bars-columns"} data-wide={!isSideways && bars.length <= BUTTONS_MAX}>
        {bars.map((bar, place) => {
          const body = (
            <BarBody bar={bar} most={most} isSideways={isSideways} isLabelled={isSideways || place % step === 0} format={format} />
          );
          return (
            <li key={bar.key} title={said(bar)}>
              {onOpen && isOpened && bar.values.some((value) => value > 0) ? (
                <button
                  type="button"
                  className="bar"
                  aria-label={t("reports.openBar", { said: said(bar) })}
                  onClick={() => onOpen(bar.key, bar.name)}
                >
                  {body}
                </button>
              ) : (
                <div className="bar">
                  <span className="bar-said">{said(bar)}</span>
                  {body}
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
};

type BarBodyProps<Value extends number> = Pick<BarsProps<Value>, "format"> & {
  bar: Bar<Value>;
  most: Value;
  isSideways: boolean;
  isLabelled: boolean;
};

const BarBody = <Value extends number>({ bar: { label, values }, most, isSideways, isLabelled, format }: BarBodyProps<Value>) => (
  <span className="bar-body" aria-hidden="true">
    {isSideways && (
      <span className="bar-name">
        <bdi>{label}</bdi>
      </span>
    )}
    <span className="bar-values">
      {values.map((value, place) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a series has no other name here.
          key={place}
          className={place === 0 ? "bar-filled" : "bar-outlined"}
          style={isSideways ? { inlineSize: percentOf(value, most) } : { blockSize: percentOf(value, most) }}
        />
      ))}
    </span>
    {isSideways ? (
      <span className="bar-amount">{values.map(format).join(" · ")}</span>
    ) : (
      <span className="bar-label">{isLabelled && label}</span>
    )}
  </span>
);

const Legend = ({ series }: { series: string[] }) => (
  <p className="bars-legend" aria-hidden="true">
    {series.map((name, place) => (
      <span key={name}>
        <span className={place === 0 ? "bar-filled" : "bar-outlined"} /> {name}
      </span>
    ))}
  </p>
);
