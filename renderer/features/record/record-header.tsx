import { Button, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconCode, IconGitCompare, IconHistory, IconPencilBolt } from '@tabler/icons-react';
import { memo, type ComponentType, type ReactNode } from 'react';
import { isMac } from '../../platform/desktop.ts';
import { useStore } from '../../ui/store.ts';
import { userKeys, keysOf } from '../../ui/keys.ts';
import { text } from '../../ui/text.ts';
import type { ActionName, RecordActions } from './use-record-actions.ts';
import { RecordDetails } from './record-facts.tsx';
import { RecordMenu } from './record-menu.tsx';
import { titleOf, type RecordHead } from './record-state.ts';
import { UnsafeChip } from './drafts/draft-notice.tsx';
import styles from './record.module.css';

interface RecordHeaderProps extends RecordHead {
  /** Tabs that select the view of the record. */
  readonly views: ReactNode;
  readonly actions: RecordActions;
  readonly modelPath: string;
  /** True if its server is read-only. */
  readonly readOnly: boolean;
  /** Runs an action of the editor. */
  readonly onEditor: (action: string) => void;
}

/** Title, details and actions of the record. One action is primary. */
export const RecordHeader = memo(function RecordHeader(props: RecordHeaderProps) {
  const { views, actions, modelPath, readOnly, onEditor, ...recordHead } = props;
  const { type, id } = recordHead;
  return (
    <header className={styles.header}>
      <div className={styles.names}>
        <div className={styles.title}>
          <h1 title={titleOf(recordHead)}>{titleOf(recordHead)}</h1>
          <UnsafeChip modelPath={modelPath} />
        </div>
        <RecordDetails {...recordHead} readOnly={readOnly} />
      </div>
      {views}
      <div className={styles.actions}>
        <Action name="format" icon={IconCode} {...actions} />
        <Action name="history" icon={IconHistory} {...actions} />
        <Action name="patch" icon={IconPencilBolt} {...actions} />
        <RecordMenu type={type} id={id} actions={actions} onEditor={onEditor} />
        <Action name="discard" icon={IconArrowBackUp} {...actions} />
        <Action name="review" icon={IconGitCompare} {...actions} primary />
      </div>
    </header>
  );
});

interface ActionProps extends RecordActions {
  readonly name: Exclude<ActionName, 'reload'>;
  readonly icon: ComponentType<{ size: number }>;
  readonly primary?: true;
}

/** Button of an action. Its tooltip shows the keys, or the reason why it is disabled. */
const Action = memo(function Action({ name, icon: Icon, disabledReasons, run, primary }: ActionProps) {
  const id = `record.${name}` as const;
  const disabledReason = disabledReasons[name];
  useStore(userKeys);
  const keys = keysOf(id, isMac);
  const hint = disabledReason ?? [text.record.hints[id], keys && `(${keys})`].filter(Boolean).join(' ');
  return (
    <Tooltip label={hint}>
      <Button
        variant={primary ? 'filled' : 'default'}
        leftSection={<Icon size={16} />}
        {...(disabledReason !== undefined && { 'data-disabled': true })}
        aria-disabled={disabledReason !== undefined}
        onClick={disabledReason === undefined ? () => run(name) : undefined}
      >
        {text.record[name]}
      </Button>
    </Tooltip>
  );
});
