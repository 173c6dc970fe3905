/** Date and time of day on the venue's clock, as calls take them. The Swedish form is that of the calls: 2026-11-20 19:00. */
export const venueMoment = (at: number, zone: string): { date: string; time: string } => {
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(at);
  const [date = "", time = ""] = text.split(" ");
  return { date, time };
};
