import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useState, useMemo } from 'react';
import type { CustomCheck } from '../../../core/app/checks.ts';
import { useChecks } from '../../platform/checks.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { Question } from '../../ui/question.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { text } from '../../ui/text.ts';
import { CheckEditor } from './check-editor.tsx';
import { CheckList } from './check-list.tsx';
import styles from './checks.module.css';
import { toDraft, newDraft, hasSameDefinition, type CheckDraft } from './check-draft.ts';

const messages = text.checks;

/** Sheet of custom checks: the list, and the editor of the selected check. */
export function ChecksSheet({ onClose }: { readonly onClose: () => void }) {
  const query = useChecks();
  const [unsavedTitles, setUnsavedTitles] = useState<readonly string[]>([]);
  const [isConfirming, setConfirming] = useState(false);
  const handleClose = () => (unsavedTitles.length > 0 ? setConfirming(true) : onClose());
  return (
    <Sheet title={messages.name} closeLabel={messages.close} onClose={handleClose}>
      <QueryContent query={query} failureTitle={messages.failed}>
        {(checks) => <Checks checks={checks} onUnsaved={setUnsavedTitles} onLeave={handleClose} />}
      </QueryContent>
      {isConfirming && (
        <Question
          title={messages.discardTitle}
          confirm={messages.discard}
          keep={messages.keepEditing}
          onConfirm={onClose}
          onKeep={() => setConfirming(false)}
        >
          {messages.discardWhat(unsavedTitles.map((title) => title || messages.untitled))}
        </Question>
      )}
    </Sheet>
  );
}

interface ChecksProps {
  readonly checks: readonly CustomCheck[];
  readonly onUnsaved: (titles: readonly string[]) => void;
  readonly onLeave: () => void;
}

function Checks({ checks, onUnsaved, onLeave }: ChecksProps) {
  const drafts = useDrafts(checks);
  const { selectedId, check, draft, unsavedIds, titles } = drafts;
  useEffect(() => onUnsaved(titles), [onUnsaved, titles]);
  return (
    <div className={styles.sheet}>
      <aside className={styles.side}>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => drafts.choose('')}
        >
          {messages.add}
        </Button>
        {checks.length === 0 ? (
          <p className={styles.empty}>{messages.empty}</p>
        ) : (
          <CheckList
            checks={checks}
            selectedId={selectedId}
            unsavedIds={unsavedIds}
            onSelect={drafts.choose}
          />
        )}
      </aside>
      <CheckEditor
        key={selectedId}
        check={check}
        draft={draft}
        isChanged={unsavedIds.includes(selectedId)}
        onChange={drafts.write}
        onSaved={(id) => drafts.markSaved(selectedId, id)}
        onRemoved={() => {
          drafts.drop(selectedId);
          drafts.choose('');
        }}
        onLeave={onLeave}
      />
    </div>
  );
}

/**
 * Drafts by check ID, so that selecting another check loses nothing. The new check has no ID and is stored under ''.
 */
export function useDrafts(checks: readonly CustomCheck[]) {
  const [selectedId, select] = useState<string>();
  const [drafts, setDrafts] = useState<ReadonlyMap<string, CheckDraft>>(new Map());
  const currentId = selectedId ?? checks[0]?.id ?? '';
  const check = checks.find(({ id }) => id === currentId);
  const changedDrafts = useMemo(
    () => [...drafts].filter(([id, draft]) => !hasSameDefinition(draft, loadDraft(checks, id))),
    [checks, drafts],
  );
  const drop = (id: string) =>
    setDrafts((previousDrafts) => new Map([...previousDrafts].filter(([draftId]) => draftId !== id)));
  return {
    selectedId: currentId,
    check,
    draft: drafts.get(currentId) ?? loadDraft(checks, currentId),
    unsavedIds: changedDrafts.map(([id]) => id),
    titles: useMemo(() => changedDrafts.map(([, { title }]) => title), [changedDrafts]),
    choose: select,
    write: (draft: CheckDraft) =>
      setDrafts((previousDrafts) => new Map(previousDrafts).set(currentId, draft)),
    /** Removes a draft that was saved or discarded. */
    drop,
    /** Handles a check that was saved under its ID. */
    markSaved(key: string, id: string): void {
      drop(key);
      select(id);
    },
  };
}

function loadDraft(checks: readonly CustomCheck[], id: string): CheckDraft {
  const storedCheck = checks.find((candidate) => candidate.id === id);
  return storedCheck ? toDraft(storedCheck) : newDraft;
}
