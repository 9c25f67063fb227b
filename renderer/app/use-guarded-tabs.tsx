import { useState } from 'react';
import { equal } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { isUnsaved, type RecordTarget } from '../features/record/record-state.ts';
import { useCommandHandlers } from '../platform/commands.ts';
import { Question } from '../ui/question.tsx';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { useStable } from '../ui/use-stable.ts';
import { formatTabLabel, type RecordTab, type Tab } from './tab-kinds.ts';
import { toRecordTarget, type Workbench } from './use-workbench.ts';

/** An action that would lose the edits of a record and waits for a decision. */
interface Discard {
  readonly title: string;
  readonly proceed: () => void;
}

/** Actions that may lose the edits of a tab. Each asks first if there are edits. */
export function useGuardedTabs(workbench: Workbench, onRestore: () => void) {
  const { dispatch, requests, actions } = workbench;
  const { tabs, active, closed } = workbench.tabs;
  const announce = useAnnounce();
  const [discard, setDiscard] = useState<Discard>();

  function confirmDiscard(tab: Tab, proceed: () => void) {
    if (tab.kind === 'record' && isUnsaved(tab.record)) setDiscard({ title: formatTabLabel(tab), proceed });
    else proceed();
  }
  /** Closes tabs one by one. Asks for each tab with edits. */
  function closeAll([tab, ...remainingTabs]: readonly Tab[]) {
    if (!tab) return;
    confirmDiscard(tab, () => {
      actions.close(tab);
      closeAll(remainingTabs);
    });
  }

  const activeTabs = tabs.filter(({ key }) => key === active);
  const otherTabs = tabs.filter(({ key }) => key !== active);
  const step = (delta: 1 | -1) =>
    tabs.length > 0 ? () => dispatch({ type: 'step', delta }) : text.commands.onlySearch;
  useCommandHandlers({
    'tab.close': activeTabs.length > 0 ? () => closeAll(activeTabs) : text.commands.searchStays,
    'tab.closeOthers': otherTabs.length > 0 ? () => closeAll(otherTabs) : text.commands.noOthers,
    'tab.reopen': closed.length > 0 ? () => dispatch({ type: 'reopen' }) : text.commands.noClosed,
    'tab.next': step(1),
    'tab.previous': step(-1),
  });

  return {
    /** The open question, if any. */
    question: discard && <DiscardQuestion discard={discard} onClose={() => setDiscard(undefined)} />,
    closeTab: useStable((key: string) => closeAll(tabs.filter((tab) => tab.key === key))),
    reload: useStable((tab: RecordTab) =>
      confirmDiscard(tab, () => void requests.loadRecord(toRecordTarget(tab, dispatch))),
    ),
    discard: useStable((tab: RecordTab) =>
      confirmDiscard(tab, () => requests.discardChanges(toRecordTarget(tab, dispatch))),
    ),
    restore: useStable((tab: RecordTab, versionText: string, versionNumber: number) =>
      confirmDiscard(tab, () => {
        onRestore();
        const hasChanged = restoreVersion(toRecordTarget(tab, dispatch), versionText);
        announce(
          hasChanged ? text.history.restoring(versionNumber) : text.history.restoreSame(versionNumber),
        );
      }),
    ),
  };
}

/** The actions of `useGuardedTabs`. */
export type GuardedTabs = ReturnType<typeof useGuardedTabs>;

interface DiscardQuestionProps {
  readonly discard: Discard;
  readonly onClose: () => void;
}

function DiscardQuestion({ discard: { title, proceed }, onClose }: DiscardQuestionProps) {
  return (
    <Question
      title={text.discard.title}
      confirm={text.discard.confirm(title)}
      keep={text.discard.keep}
      onConfirm={() => {
        // Close first: the action may open the next question.
        onClose();
        proceed();
      }}
      onKeep={onClose}
    >
      <p>{text.discard.detail(title)}</p>
    </Question>
  );
}

/**
 * Puts the text of an earlier version into the editor as an undoable edit and opens the review.
 *
 * @returns false if the text equals the current version; nothing was done.
 */
function restoreVersion({ state: { base }, dispatch }: RecordTarget, json: string): boolean {
  if (!base || equal(base.root, scan(json).root)) return false;
  dispatch({ type: 'edited', text: json });
  dispatch({ type: 'review' });
  return true;
}
