import { equal } from '../../core/json/equal.ts';
import { scan } from '../../core/json/scan.ts';
import { replaceModelText } from '../platform/monaco-text.ts';
import type { RecordTab, TabsAction } from './tabs-state.ts';
import { targetOf } from './use-workbench.ts';

/**
 * Puts an earlier version's text into a tab's editor as an edit that can be undone, and opens the review.
 *
 * @returns false where it says what the current version says, and nothing was done.
 */
export function restoreVersion(
  tab: RecordTab,
  dispatch: (action: TabsAction) => void,
  text: string,
): boolean {
  const { base } = tab.record;
  if (!base || equal(base.root, scan(text).root)) return false;
  const target = targetOf(tab, dispatch);
  replaceModelText(target.modelPath, text);
  target.dispatch({ type: 'edited', text });
  target.dispatch({ type: 'review' });
  return true;
}
