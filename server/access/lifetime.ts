const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 7 * 86_400 };

/**
 * Seconds of a span such as `30m`, `12h`, `90d` or `4w`.
 *
 * @throws Error with a sentence.
 */
export function lifetimeOf(text: string): number {
  const [, count, unit = ''] = /^([1-9][0-9]{0,6})([mhdw])$/.exec(text) ?? [];
  const seconds = unitSeconds[unit];
  if (count === undefined || seconds === undefined) {
    throw new Error('--expires takes a number with m, h, d or w: 30m, 12h, 90d, 4w.');
  }
  return Number(count) * seconds;
}
