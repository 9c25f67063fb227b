import { Button, Code, TextInput } from '@mantine/core';
import { IconDatabaseExport } from '@tabler/icons-react';
import { useState } from 'react';
import {
  Backup,
  BackupList,
  BackupRestored,
  type SecondaryFolder as Place,
} from '../../../core/app/backups.ts';
import { useCommandHandlers } from '../../platform/commands.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { QueryContent } from '../../ui/query-state.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { exactTime } from '../../ui/time.ts';
import { BackupTable, DamagedNames } from './backup-table.tsx';
import styles from './data.module.css';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ToneDot, type Tone } from '../../ui/tone-dot.tsx';
import { useAppQuery } from '../../platform/use-answer.ts';
import { useChange } from '../../platform/use-change.ts';

const messages = text.data.backups;

/** Backups part of Trust, opened by the backup commands. */
export function BackupView() {
  return <BackupSection handlesCommands />;
}

interface BackupPartProps {
  /** True if this view handles the backup commands. Only one of the views with backups does. */
  readonly handlesCommands?: boolean;
}

/** Lists the backups, creates and restores them. */
export function BackupSection({ handlesCommands = false }: BackupPartProps) {
  return (
    <QueryContent query={useBackups()} failureTitle={messages.failed}>
      {(list) => <Backups list={list} handlesCommands={handlesCommands} />}
    </QueryContent>
  );
}

interface BackupsProps {
  readonly list: BackupList;
  readonly handlesCommands: boolean;
}

function Backups({
  list: { folder, backups, skipped: skippedFiles, secondPlace },
  handlesCommands,
}: BackupsProps) {
  const announce = useAnnounce();
  const [backupToRestore, setBackupToRestore] = useState<Backup>();
  const [message, setMessage] = useState<string>();
  const showMessage = (sentence: string) => {
    setMessage(sentence);
    announce(sentence);
  };
  const backUp = useCreateBackup(({ name, bytes }) => showMessage(messages.made(name, bytes)));

  const [latest] = backups;
  useBackupCommands(handlesCommands, {
    now: () => {
      if (!backUp.isPending) backUp.mutate();
    },
    restore: () => (latest ? setBackupToRestore(latest) : announce(messages.none)),
  });
  return (
    <div className={styles.column}>
      <h2>{messages.heading}</h2>
      <p>{messages.what}</p>
      <div className={styles.row}>
        <Button
          variant="filled"
          leftSection={<IconDatabaseExport size={14} aria-hidden />}
          loading={backUp.isPending}
          onClick={() => backUp.mutate()}
        >
          {messages.start}
        </Button>
        <span className="dim">
          {messages.folder} <Code>{folder}</Code>
        </span>
      </div>
      <RequestFailure title={messages.notMade} query={backUp} />
      {message !== undefined && (
        <div className={styles.summary} data-tone="good">
          <p>{message}</p>
        </div>
      )}
      {backups.length === 0 ? (
        <p>{messages.empty}</p>
      ) : (
        <BackupTable backups={backups} busy={backUp.isPending} onRestore={setBackupToRestore} />
      )}
      {skippedFiles.length > 0 && <p>{messages.skipped(skippedFiles)}</p>}
      <SecondaryFolderSection place={secondPlace} onSaid={showMessage} />
      {backupToRestore && (
        <RestoreQuestion
          backup={backupToRestore}
          onCancel={() => setBackupToRestore(undefined)}
          onRestored={({ restored: restoredBackup, before, erased: erasedRecords }) => {
            setBackupToRestore(undefined);
            showMessage(messages.restore.done(restoredBackup.name, before.name, erasedRecords));
          }}
        />
      )}
    </div>
  );
}

/** Handles the backup commands in the view that they open. */
function useBackupCommands(
  handlesCommands: boolean,
  { now, restore }: Readonly<Record<'now' | 'restore', () => void>>,
): void {
  const { openView } = useWorkbenchActions();
  const openFirst = (run: () => void) => () => {
    openView('backups');
    run();
  };
  useCommandHandlers(
    handlesCommands ? { 'backup.now': openFirst(now), 'backup.restore': openFirst(restore) } : {},
  );
}

interface RestoreQuestionProps {
  readonly backup: Backup;
  readonly onCancel: () => void;
  readonly onRestored: (result: BackupRestored) => void;
}

/** Names the effect of a restore: the restored records, the lost changes and the quarantined database. */
function RestoreQuestion({ backup, onCancel, onRestored }: RestoreQuestionProps) {
  const restore = useRestore(onRestored);
  const damagedCount = backup.compared?.damaged.length ?? 0;
  return (
    <Question
      title={messages.restore.title}
      confirm={messages.restore.confirm}
      keep={messages.restore.cancel}
      busy={restore.isPending}
      onConfirm={() => restore.mutate(backup)}
      onKeep={onCancel}
    >
      <p>
        {messages.restore.what(exactTime(backup.time))} <Code>{backup.name}</Code>
      </p>
      {damagedCount > 0 && <p>{text.places.holdsDamaged(damagedCount)}</p>}
      <DamagedNames comparison={backup.compared} />
      <p>{messages.restore.aside}</p>
      {restore.isPending && <p role="status">{messages.restore.running}</p>}
      <RequestFailure title={messages.restore.failed} query={restore} />
    </Question>
  );
}

const secondPlaceMessages = text.places;

const tones: Readonly<Record<Place['state'], Tone>> = {
  good: 'good',
  copying: 'info',
  away: 'warning',
  failed: 'danger',
};

interface SecondaryFolderSectionProps {
  /** Secondary backup folder; null if there is none. */
  readonly place: Place | null;
  readonly onSaid: (sentence: string) => void;
}

/** Section for the secondary backup folder, a copy of each backup on another disk. */
export function SecondaryFolderSection({ place, onSaid }: SecondaryFolderSectionProps) {
  const [folder, setFolder] = useState('');
  const change = useSetSecondaryFolder((set) => {
    setFolder('');
    onSaid(set === null ? secondPlaceMessages.removed : secondPlaceMessages.setDone(set));
  });
  return (
    <section className={styles.section} aria-label={secondPlaceMessages.heading}>
      <h3>{secondPlaceMessages.heading}</h3>
      <p>{place ? secondPlaceMessages.what : secondPlaceMessages.none}</p>
      {place === null ? (
        <form
          className={styles.place}
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate(folder.trim());
          }}
        >
          <TextInput
            label={secondPlaceMessages.field}
            placeholder={secondPlaceMessages.hint}
            classNames={{ input: 'mono' }}
            value={folder}
            spellCheck={false}
            autoComplete="off"
            onChange={({ currentTarget }) => setFolder(currentTarget.value)}
          />
          <Button type="submit" disabled={folder.trim() === ''} loading={change.isPending}>
            {secondPlaceMessages.set}
          </Button>
        </form>
      ) : (
        <div className={styles.row}>
          <Code>{place.folder}</Code>
          <PlaceState place={place} />
          <Button loading={change.isPending} onClick={() => change.mutate(null)}>
            {secondPlaceMessages.remove}
          </Button>
        </div>
      )}
      <RequestFailure title={secondPlaceMessages.failed} query={change} />
    </section>
  );
}

/** State of the secondary folder and its problem, if any. */
function PlaceState({ place: { state, problem, lacking, compared: verifiedAt } }: { readonly place: Place }) {
  return (
    <>
      <ToneDot tone={tones[state]} label={secondPlaceMessages.states[state]} />
      <span className="dim">
        {lacking > 0 && secondPlaceMessages.lacking(lacking)}{' '}
        {verifiedAt !== null && (
          <MessageNodes
            message={secondPlaceMessages.lastCompared}
            nodes={{ time: <RelativeTime instant={verifiedAt} /> }}
          />
        )}{' '}
        {problem}
      </span>
    </>
  );
}

const listKey = ['backups'];

/** Interval of polling while the secondary folder is being filled, in milliseconds. */
const copyingIntervalMs = 1000;

/** Loads the backups of the data folder, latest first. */
export function useBackups() {
  return useAppQuery('/backups', BackupList, {
    queryKey: listKey,
    // Always stale, because the server also makes scheduled backups.
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.secondPlace?.state === 'copying' ? copyingIntervalMs : false,
  });
}

/** Returns the mutation that backs up the current records. */
export function useCreateBackup(onCreated: (backup: Backup) => void) {
  return useChange((client) => client.requestAs(Backup, 'POST', '/backups', {}), onCreated, listKey);
}

/** Returns the mutation that restores a backup. Without a query key, it reloads all queries. */
export function useRestore(onRestored: (result: BackupRestored) => void) {
  return useChange(
    (client, { name }: Backup) =>
      client.requestAs(BackupRestored, 'POST', `/backups/${encodeURIComponent(name)}/restore`, {}),
    onRestored,
  );
}

/** Returns the mutation that sets or removes the secondary backup folder. */
export function useSetSecondaryFolder(onSet: (folder: string | null) => void) {
  return useChange(
    (client, folder: string | null) => client.app('PUT', '/backups/second-place', { folder }),
    (_answer, folder) => onSet(folder),
    listKey,
  );
}
