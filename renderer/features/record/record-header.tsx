import { Button, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconCode, IconGitCompare, IconHistory, IconPencilBolt } from '@tabler/icons-react';
import { memo, type ComponentType, type ReactNode } from 'react';
import { isMac } from '../../platform/desktop.ts';
import { useStore } from '../../ui/store.ts';
import { chosenKeys, keysOf } from '../../ui/keys.ts';
import { text } from '../../ui/text.ts';
import type { ActName, RecordActions } from './use-record-actions.ts';
import { RecordFacts } from './record-facts.tsx';
import { RecordMenu } from './record-menu.tsx';
import { titleOf, type RecordHead } from './record-state.ts';
import { UnsafeChip } from './drafts/draft-notice.tsx';
import styles from './record.module.css';

interface RecordHeaderProps extends RecordHead {
  /** As what the record is shown, to choose from. */
  readonly views: ReactNode;
  readonly actions: RecordActions;
  /** The path of its text model. */
  readonly modelPath: string;
  /** Whether nothing of it can be changed on its server. */
  readonly readOnly: boolean;
  /** Runs one of the editor's own actions. */
  readonly onEditor: (action: string) => void;
}

/** Two lines that say which record this is and how it stands, and the actions on it; one of them primary. */
export const RecordHeader = memo(function RecordHeader(props: RecordHeaderProps) {
  const { views, actions, modelPath, readOnly, onEditor, ...head } = props;
  const { type, id } = head;
  return (
    <header className={styles.header}>
      <div className={styles.names}>
        <div className={styles.title}>
          <h1 title={titleOf(head)}>{titleOf(head)}</h1>
          <UnsafeChip modelPath={modelPath} />
        </div>
        <RecordFacts {...head} readOnly={readOnly} />
      </div>
      {views}
      <div className={styles.actions}>
        <Action name="format" icon={IconCode} {...actions} />
        <Action name="history" icon={IconHistory} {...actions} />
        <Action name="patch" icon={IconPencilBolt} {...actions} />
        <RecordMenu {...{ type, id, actions, onEditor }} />
        <Action name="discard" icon={IconArrowBackUp} {...actions} />
        <Action name="review" icon={IconGitCompare} {...actions} primary />
      </div>
    </header>
  );
});

interface ActionProps extends RecordActions {
  readonly name: Exclude<ActName, 'reload'>;
  readonly icon: ComponentType<{ size: number }>;
  readonly primary?: true;
}

/** A button that says its keys when it can be used, and why not when it cannot. */
const Action = memo(function Action({ name, icon: Icon, refused, run, primary }: ActionProps) {
  const id = `record.${name}` as const;
  const refusal = refused[name];
  useStore(chosenKeys);
  const keys = keysOf(id, isMac);
  const hint = refusal ?? [text.record.hints[id], keys && `(${keys})`].filter(Boolean).join(' ');
  return (
    <Tooltip label={hint}>
      <Button
        variant={primary ? 'filled' : 'default'}
        leftSection={<Icon size={16} />}
        {...(refusal !== undefined && { 'data-disabled': true })}
        aria-disabled={refusal !== undefined}
        onClick={refusal === undefined ? () => run(name) : undefined}
      >
        {text.record[name]}
      </Button>
    </Tooltip>
  );
});
