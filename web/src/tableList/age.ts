// How long ago something was, in the largest unit that it fills: "3 hours ago".

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Two moments in unix seconds; clocks differ, so nothing lies in the future. */
export function formatAge(then: number, now: number, language: string): string {
  const seconds = Math.max(0, now - then);
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? (["second", 1] as const);
  const count = unit === "second" ? 0 : Math.floor(seconds / length);
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(count ? -count : 0, unit);
}
