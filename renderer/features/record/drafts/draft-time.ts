import { clockTime } from '../../../ui/format.ts';

/** When a draft was saved, as a clock shows it now. */
export function draftTime(saved: string): string {
  return clockTime(saved, Date.now());
}
