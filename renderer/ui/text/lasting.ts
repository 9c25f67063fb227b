/** A number of days as a person says it; the exact dates stand beside it. */
export function lasting(days: number): string {
  const [count, unit] =
    days < 90
      ? [days, 'day']
      : days < 731
        ? [Math.round(days / 30.44), 'month']
        : [Math.floor(days / 365.25), 'year'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
