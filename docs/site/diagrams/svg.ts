/** Inline SVG: sizes in pixels, colours from the page's style. */
export const svgOf = (width: number, height: number, parts: string[]): string =>
  `<svg viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" aria-hidden="true">${parts.join("")}</svg>`;

export const round = (value: number): number => Math.round(value * 10) / 10;

/** The tip of an arrow that ends at this point, in this direction. */
export const tipAt = (x: number, y: number, [dx, dy]: readonly [number, number]): string => {
  const [backX, backY] = [x - dx * 8, y - dy * 8];
  return `<path class="tip" d="M${round(x)} ${round(y)}L${round(backX - dy * 4)} ${round(backY + dx * 4)}L${round(backX + dy * 4)} ${round(backY - dx * 4)}Z"/>`;
};
