/**
 * ui/log is the look that the logs share, Activity and Audit: a row of filters, a virtualised list with the details of
 * one entry beside it, a foot, and the faces of a list that is loading or empty.
 */
import { fhirPath } from '../../../core/api/contract.ts';
import { text } from '../text.ts';
import type { Tone } from '../tone-dot.tsx';

/** An HTTP status in words, with its number where there was an answer. */
export function statusWords(status: number): string {
  const words: Readonly<Record<number, string>> = text.log.statuses;
  return `${status === 0 ? '' : status} ${words[status] ?? ''}`.trim();
}

/** Which of the semantic colours supports a status. */
export function toneOf(status: number): Tone {
  if (status === 0) return 'neutral';
  if (status < 300) return 'good';
  if (status < 400) return 'info';
  return status < 500 ? 'warning' : 'danger';
}

/** `v2 → v3`; one of them alone where there is no other, empty where there is none. */
export function versionChange(before: number | undefined, after: number | undefined): string {
  return [before, after].flatMap((one) => (one === undefined ? [] : [`v${one}`])).join(' → ');
}

/** A path as it is read in a list: decoded, without the part that all FHIR paths begin with. */
export function readablePath(path: string): string {
  const rest = path.startsWith(`${fhirPath}/`) ? path.slice(fhirPath.length + 1) : path;
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}

/** Minutes of a period that is chosen in the filter as an instant; empty chooses none. */
export function sinceOf(period: string, chosenAt: number): { readonly since?: string } {
  const minutes = Number(period);
  return minutes > 0 ? { since: new Date(chosenAt - minutes * 60_000).toISOString() } : {};
}

/** Periods of the filter in minutes, shortest first. */
export const periods = Object.entries(text.log.periods)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => Number(a.value) - Number(b.value));
