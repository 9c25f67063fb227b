import { Code } from '@mantine/core';
import type { Backup, BackupRestored } from '../../../core/app/backups.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { text } from '../../ui/text.ts';
import { exactTime } from '../../ui/time.ts';
import { DamagedNames } from './damaged-names.tsx';
import { useRestore } from './use-backups.ts';

const words = text.data.backups.restore;

interface RestoreQuestionProps {
  readonly backup: Backup;
  readonly onCancel: () => void;
  readonly onRestored: (restored: BackupRestored) => void;
}

/** Says what a restore brings back, what it takes away, and what is kept aside. */
export function RestoreQuestion({ backup, onCancel, onRestored }: RestoreQuestionProps) {
  const restore = useRestore(onRestored);
  const damaged = backup.compared?.damaged.length ?? 0;
  return (
    <Question
      title={words.title}
      confirm={words.confirm}
      keep={words.cancel}
      busy={restore.isPending}
      onConfirm={() => restore.mutate(backup)}
      onKeep={onCancel}
    >
      <p>
        {words.what(exactTime(backup.time))} <Code>{backup.name}</Code>
      </p>
      {damaged > 0 && <p>{text.places.holdsDamaged(damaged)}</p>}
      <DamagedNames compared={backup.compared} />
      <p>{words.aside}</p>
      {restore.isPending && <p role="status">{words.running}</p>}
      <RequestFailure title={words.failed} of={restore} />
    </Question>
  );
}
