import { useEffect } from 'react';
import { fetchMonaco, loadMonaco } from '../platform/monaco-loader.ts';
import { afterPaint } from '../ui/after-paint.ts';

/** Has the editor ready before a record is opened: fetched while nothing is found, run once something is. */
export function useEarlyMonaco(found: boolean): void {
  useEffect(() => {
    // Never before the search is in sight.
    return afterPaint(() => requestIdleCallback(fetchMonaco, { timeout: 2000 }));
  }, []);
  useEffect(() => {
    // Once there is something to open, and the page is at rest: opening it is then immediate.
    if (found) requestIdleCallback(() => void loadMonaco().catch(() => undefined), { timeout: 2000 });
  }, [found]);
}
