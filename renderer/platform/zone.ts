/** Returns the zone of a local time (`YYYY-MM-DDTHH:MM:SS`) on this machine, such as `+01:00`. */
export function zoneOf(local: string): string {
  const minutes = -new Date(local).getTimezoneOffset();
  const formatPart = (part: number) => String(Math.floor(part)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${formatPart(Math.abs(minutes) / 60)}:${formatPart(Math.abs(minutes) % 60)}`;
}
