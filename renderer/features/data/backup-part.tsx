import { Button, Code } from '@mantine/core';
import { IconDatabaseExport } from '@tabler/icons-react';
import { useState } from 'react';
import type { Backup, BackupList, BackupRestored } from '../../../core/app/backups.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Answered } from '../../ui/answered.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { exactTime } from '../../ui/time.ts';
import { BackupTable, DamagedNames } from './backup-table.tsx';
import styles from './data.module.css';
import { SecondPlace } from './second-place.tsx';
import { useBackUp, useBackups, useRestore } from './use-backups.ts';

const words = text.data.backups;

/** The Backups part of Trust, to which the backup commands lead. */
export function BackupView() {
  return <BackupPart leads />;
}

interface BackupPartProps {
  /** Whether the backup commands lead here: of the places that show the backups, one handles them. */
  readonly leads?: boolean;
}

/** Backups: the list of them, one more now, and back to one of them. */
export function BackupPart({ leads = false }: BackupPartProps) {
  return (
    <Answered query={useBackups()} failed={words.failed}>
      {(list) => <Backups list={list} leads={leads} />}
    </Answered>
  );
}

interface BackupsProps {
  readonly list: BackupList;
  readonly leads: boolean;
}

function Backups({ list: { folder, backups, skipped, secondPlace }, leads }: BackupsProps) {
  const announce = useAnnounce();
  const [asking, setAsking] = useState<Backup>();
  const [said, setSaid] = useState<string>();
  const end = (sentence: string) => {
    setSaid(sentence);
    announce(sentence);
  };
  const backUp = useBackUp(({ name, bytes }) => end(words.made(name, bytes)));

  const [newest] = backups;
  useLeading(leads, {
    now: () => {
      if (!backUp.isPending) backUp.mutate();
    },
    restore: () => (newest ? setAsking(newest) : announce(words.none)),
  });
  return (
    <div className={styles.column}>
      <h2>{words.heading}</h2>
      <p>{words.what}</p>
      <div className={styles.row}>
        <Button
          variant="filled"
          leftSection={<IconDatabaseExport size={14} aria-hidden />}
          loading={backUp.isPending}
          onClick={() => backUp.mutate()}
        >
          {words.start}
        </Button>
        <span className="dim">
          {words.folder} <Code>{folder}</Code>
        </span>
      </div>
      <RequestFailure title={words.notMade} of={backUp} />
      {said !== undefined && (
        <div className={styles.summary} data-tone="good">
          <p>{said}</p>
        </div>
      )}
      {backups.length === 0 ? (
        <p>{words.empty}</p>
      ) : (
        <BackupTable backups={backups} busy={backUp.isPending} onRestore={setAsking} />
      )}
      {skipped.length > 0 && <p>{words.skipped(skipped)}</p>}
      <SecondPlace place={secondPlace} onSaid={end} />
      {asking && (
        <RestoreQuestion
          backup={asking}
          onCancel={() => setAsking(undefined)}
          onRestored={({ restored, before, erased }) => {
            setAsking(undefined);
            end(words.restore.done(restored.name, before.name, erased));
          }}
        />
      )}
    </div>
  );
}

/** Handles the commands in the view that they open, where that is this one. */
function useLeading(leads: boolean, { now, restore }: Readonly<Record<'now' | 'restore', () => void>>): void {
  const { openView } = useWorkbenchActions();
  const led = (run: () => void) => () => {
    openView('backups');
    run();
  };
  useCommandHandlers(leads ? { 'backup.now': led(now), 'backup.restore': led(restore) } : {});
}

interface RestoreQuestionProps {
  readonly backup: Backup;
  readonly onCancel: () => void;
  readonly onRestored: (restored: BackupRestored) => void;
}

/** Says what a restore brings back, what it takes away, and what is kept aside. */
function RestoreQuestion({ backup, onCancel, onRestored }: RestoreQuestionProps) {
  const restore = useRestore(onRestored);
  const damaged = backup.compared?.damaged.length ?? 0;
  return (
    <Question
      title={words.restore.title}
      confirm={words.restore.confirm}
      keep={words.restore.cancel}
      busy={restore.isPending}
      onConfirm={() => restore.mutate(backup)}
      onKeep={onCancel}
    >
      <p>
        {words.restore.what(exactTime(backup.time))} <Code>{backup.name}</Code>
      </p>
      {damaged > 0 && <p>{text.places.holdsDamaged(damaged)}</p>}
      <DamagedNames compared={backup.compared} />
      <p>{words.restore.aside}</p>
      {restore.isPending && <p role="status">{words.restore.running}</p>}
      <RequestFailure title={words.restore.failed} of={restore} />
    </Question>
  );
}
