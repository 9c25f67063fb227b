/**
 * The common parts of the Activity and Audit logs: filters, a virtual list with the details of an entry, a
 * footer, and the loading and empty states.
 */
import { fhirPath } from '../../../core/api/contract.ts';
import { text } from '../text.ts';
import type { Tone } from '../tone-dot.tsx';

/** Formats an HTTP status as text, with its number if there was a response. */
export function formatStatus(status: number): string {
  const labels: Readonly<Record<number, string>> = text.log.statuses;
  return `${status === 0 ? '' : status} ${labels[status] ?? ''}`.trim();
}

/** Returns the tone of a status. */
export function toneOf(status: number): Tone {
  if (status === 0) return 'neutral';
  if (status < 300) return 'good';
  if (status < 400) return 'info';
  return status < 500 ? 'warning' : 'danger';
}

/** Formats a version change as `v2 → v3`; only one version if the other is missing, empty without any. */
export function versionChange(before: number | undefined, after: number | undefined): string {
  return [before, after].flatMap((version) => (version === undefined ? [] : [`v${version}`])).join(' → ');
}

/** Formats a path for a list: decoded, without the prefix of all FHIR paths. */
export function readablePath(path: string): string {
  const shortPath = path.startsWith(`${fhirPath}/`) ? path.slice(fhirPath.length + 1) : path;
  try {
    return decodeURIComponent(shortPath);
  } catch {
    return shortPath;
  }
}

/** Converts a period of the filter (minutes) to an instant; an empty period selects none. */
export function sinceOf(period: string, selectedAtMs: number): { readonly since?: string } {
  const minutes = Number(period);
  return minutes > 0 ? { since: new Date(selectedAtMs - minutes * 60_000).toISOString() } : {};
}

/** Periods of the filter in minutes, shortest first. */
export const periods = Object.entries(text.log.periods)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => Number(a.value) - Number(b.value));
