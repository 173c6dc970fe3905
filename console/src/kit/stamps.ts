/** How long ago something was. A device's clock can be set back, and its steady counter may stop while it sleeps: the larger age holds. */
export type Stamp = { wall: number; steady: number };

export const stampNow = (): Stamp => ({ wall: Date.now(), steady: performance.now() });

export const ageOf = ({ wall, steady }: Stamp): number => Math.max(0, Date.now() - wall, performance.now() - steady);
