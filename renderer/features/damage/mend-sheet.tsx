import { Button, FileButton, Modal, NativeSelect, Radio } from '@mantine/core';
import { useState } from 'react';
import type { WholeCopy } from '../../../core/app/damage.ts';
import type { DamagedVersion } from '../../../core/app/damage.ts';
import { useLacks } from '../../platform/app-queries.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { localTime } from '../../ui/time.ts';
import { nameOf } from './damage-table.tsx';
import styles from './damage.module.css';
import { useMend, type Whole } from './use-damage.ts';
import { beginning, problemOf } from './whole-text.ts';
import { WholeEditor } from './whole-editor.tsx';

const words = text.damage.mend;

const sources = ['backup', 'file', 'text'] as const;
type Source = (typeof sources)[number];

interface MendSheetProps {
  readonly record: DamagedVersion;
  readonly onClose: () => void;
}

/** Puts a whole text in the place of a damaged one: a backup's, a file's, or what is written here. */
export function MendSheet({ record, onClose }: MendSheetProps) {
  const { version, current } = record;
  const backups = copiesOf(record);
  const name = nameOf(record);
  const announce = useAnnounce();
  const none = useLacks('backups') ? words.databaseBackups : words.none;
  const [source, setSource] = useState<Source>(backups.length > 0 ? 'backup' : 'text');
  const [backup, setBackup] = useState(backups[0]?.name ?? '');
  const [file, setFile] = useState<{ readonly name: string; readonly text: string }>();
  const [written, setWritten] = useState(() => beginning(record));
  const mend = useMend(record, () => {
    announce(words.done(name));
    onClose();
  });

  const whole: Whole | undefined =
    source === 'backup' ? { backup } : source === 'text' ? { text: written } : file && { text: file.text };
  const problem = whole && 'text' in whole ? problemOf(whole.text, record) : undefined;
  const ready = whole && problem === undefined && (source !== 'backup' || backup !== '');

  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title(name)}
      size={720}
      closeOnClickOutside={false}
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
    >
      <div className={styles.mend}>
        <p>{current ? words.what(version) : words.whatFormer(version)}</p>
        {current && (
          <Radio.Group
            label={words.source}
            value={source}
            onChange={(value) => setSource(sources.find((one) => one === value) ?? source)}
          >
            <div className={styles.sources}>
              {sources.map((one) => (
                <Radio
                  key={one}
                  size="xs"
                  value={one}
                  label={words.sources[one]}
                  disabled={one === 'backup' && backups.length === 0}
                  data-autofocus={one === source || undefined}
                />
              ))}
            </div>
          </Radio.Group>
        )}
        {backups.length === 0 && <p className={styles.dim}>{none}</p>}
        {source === 'backup' && (
          <BackupChoice record={record} copies={backups} chosen={backup} onChoose={setBackup} />
        )}
        {source === 'file' && (
          <div className={styles.row}>
            <FileButton
              accept="application/json,.json"
              onChange={(chosen) => {
                if (!chosen) return;
                void chosen.text().then((json) => setFile({ name: chosen.name, text: json }));
              }}
            >
              {(props) => <Button {...props}>{words.choose}</Button>}
            </FileButton>
            <span className={file ? 'mono' : styles.dim}>{file?.name ?? words.noFile}</span>
          </div>
        )}
        {source === 'text' && (
          <div className={styles.editor}>
            <WholeEditor record={record} text={written} onChange={setWritten} />
          </div>
        )}
        {problem !== undefined && (
          <p className={styles.problem} role="status">
            {problem}
          </p>
        )}
        {mend.isError && <FailureMessage title={words.failed} failure={toFailure(mend.error)} />}
        <div className={styles.foot}>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            variant="filled"
            disabled={!ready}
            loading={mend.isPending}
            onClick={() => whole && mend.mutate(whole)}
          >
            {words.confirm}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

/** The backups that the record can be mended from: a version of the history comes back as it was. */
function copiesOf({ current, version, backups }: DamagedVersion): readonly WholeCopy[] {
  return current ? backups : backups.filter((copy) => copy.version === version);
}

interface BackupChoiceProps {
  readonly record: DamagedVersion;
  readonly copies: readonly WholeCopy[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

/** The backups that hold the record whole, and what each would cost. */
function BackupChoice({ record: { version }, copies, chosen, onChoose }: BackupChoiceProps) {
  const held = copies.find(({ name }) => name === chosen)?.version;
  return (
    <div className={styles.choice}>
      <NativeSelect
        label={words.backup}
        value={chosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        data={copies.map(({ name, time, version: holds }) => ({
          value: name,
          label: words.backupOf(localTime(time), name, holds),
        }))}
      />
      {held !== undefined && (
        <p className={styles.dim}>{held === version ? words.same : words.older(held)}</p>
      )}
    </div>
  );
}
