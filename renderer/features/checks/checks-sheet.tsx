import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { StewardCheck } from '../../../core/app/checks.ts';
import { useChecks } from '../../platform/checks.ts';
import { Answered } from '../../ui/answered.tsx';
import { Question } from '../../ui/question.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { text } from '../../ui/text.ts';
import { CheckEditor } from './check-editor.tsx';
import { CheckList } from './check-list.tsx';
import styles from './checks.module.css';
import { useDrafts } from './use-drafts.ts';

const words = text.checks;

/** Checks of one's own: the list, and the one that is written. */
export function ChecksSheet({ onClose }: { readonly onClose: () => void }) {
  const query = useChecks();
  const [lost, setLost] = useState<readonly string[]>([]);
  const [asks, ask] = useState(false);
  const close = () => (lost.length > 0 ? ask(true) : onClose());
  return (
    <Sheet title={words.name} closeLabel={words.close} onClose={close}>
      <Answered query={query} failed={words.failed}>
        {(checks) => <Checks checks={checks} onUnsaved={setLost} onLeave={close} />}
      </Answered>
      {asks && (
        <Question
          title={words.discardTitle}
          confirm={words.discard}
          keep={words.keep}
          onConfirm={onClose}
          onKeep={() => ask(false)}
        >
          {words.discardWhat(lost.map((title) => title || words.untitled).join(', '))}
        </Question>
      )}
    </Sheet>
  );
}

interface ChecksProps {
  readonly checks: readonly StewardCheck[];
  /** Told the titles of what is not saved. */
  readonly onUnsaved: (titles: readonly string[]) => void;
  readonly onLeave: () => void;
}

function Checks({ checks, onUnsaved, onLeave }: ChecksProps) {
  const drafts = useDrafts(checks);
  const { shown, check, draft, unsaved, titles } = drafts;
  useEffect(() => onUnsaved(titles), [onUnsaved, titles]);
  return (
    <div className={styles.sheet}>
      <aside className={styles.side}>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => drafts.choose('')}
        >
          {words.add}
        </Button>
        {checks.length === 0 ? (
          <p className={styles.empty}>{words.empty}</p>
        ) : (
          <CheckList checks={checks} chosen={shown} unsaved={unsaved} onChoose={drafts.choose} />
        )}
      </aside>
      <CheckEditor
        key={shown}
        check={check}
        draft={draft}
        changed={unsaved.includes(shown)}
        onChange={drafts.write}
        onSaved={(id) => drafts.saved(shown, id)}
        onRemoved={() => {
          drafts.drop(shown);
          drafts.choose('');
        }}
        onLeave={onLeave}
      />
    </div>
  );
}
