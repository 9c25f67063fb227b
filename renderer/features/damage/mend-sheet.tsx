import { Button, FileButton, Modal, NativeSelect, Radio } from '@mantine/core';
import { useState } from 'react';
import * as v from 'valibot';
import type { DamagedVersion, WholeCopy } from '../../../core/app/damage.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { useLacks } from '../../platform/app-queries.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import sheet from '../../ui/sheet.module.css';
import { text } from '../../ui/text.ts';
import { localTime } from '../../ui/time.ts';
import { nameOf } from './damage-table.tsx';
import styles from './damage.module.css';
import { useMend, type Whole } from './use-damage.ts';
import { WholeEditor } from './whole-editor.tsx';

const words = text.damage.mend;

const Named = v.object({ resourceType: v.string(), id: v.string() });

const sources = ['backup', 'file', 'text'] as const;
type Source = (typeof sources)[number];

interface TextFile {
  readonly name: string;
  readonly text: string;
}

interface Choice {
  readonly source: Source;
  /** By its name; empty where there is none. */
  readonly backup: string;
  readonly file: TextFile | undefined;
  readonly written: string;
}

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
  const [file, setFile] = useState<TextFile>();
  const [written, setWritten] = useState(() => beginning(record));
  const whole = wholeOf({ source, backup, file, written });
  const problem = whole && 'text' in whole ? problemOf(whole.text, record) : undefined;
  const mend = useMend(record, () => {
    announce(words.done(name));
    onClose();
  });

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
      <div className={sheet.form}>
        <p>{current ? words.what(version) : words.whatFormer(version)}</p>
        {current && <SourceChoice chosen={source} hasBackups={backups.length > 0} onChoose={setSource} />}
        {backups.length === 0 && <p className="dim">{none}</p>}
        {source === 'backup' && <BackupChoice record={record} chosen={backup} onChoose={setBackup} />}
        {source === 'file' && <FileChoice chosen={file?.name} onChoose={setFile} />}
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
        <RequestFailure title={words.failed} of={mend} />
        <div className={sheet.formActions}>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            variant="filled"
            disabled={!whole || problem !== undefined}
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

interface SourceChoiceProps {
  readonly chosen: Source;
  readonly hasBackups: boolean;
  readonly onChoose: (source: Source) => void;
}

/** Where the whole text is taken from. */
function SourceChoice({ chosen, hasBackups, onChoose }: SourceChoiceProps) {
  return (
    <Radio.Group
      label={words.source}
      value={chosen}
      onChange={(value) => onChoose(sources.find((one) => one === value) ?? chosen)}
    >
      <div className={styles.sources}>
        {sources.map((one) => (
          <Radio
            key={one}
            size="xs"
            value={one}
            label={words.sources[one]}
            disabled={one === 'backup' && !hasBackups}
            data-autofocus={one === chosen || undefined}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

interface FileChoiceProps {
  readonly chosen: string | undefined;
  readonly onChoose: (file: TextFile) => void;
}

function FileChoice({ chosen, onChoose }: FileChoiceProps) {
  return (
    <div className={styles.row}>
      <FileButton
        accept="application/json,.json"
        onChange={(file) => {
          if (file) void file.text().then((json) => onChoose({ name: file.name, text: json }));
        }}
      >
        {(props) => <Button {...props}>{words.choose}</Button>}
      </FileButton>
      <span className={chosen === undefined ? 'dim' : 'mono'}>{chosen ?? words.noFile}</span>
    </div>
  );
}

/** The whole text that was chosen; undefined while none is. */
function wholeOf({ source, backup, file, written }: Choice): Whole | undefined {
  if (source === 'backup') return backup === '' ? undefined : { backup };
  return source === 'text' ? { text: written } : file && { text: file.text };
}

/** The backups that the record can be mended from: a version of the history comes back as it was. */
function copiesOf({ current, version, backups }: DamagedVersion): readonly WholeCopy[] {
  return current ? backups : backups.filter((copy) => copy.version === version);
}

interface BackupChoiceProps {
  readonly record: DamagedVersion;
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

/** The backups that hold the record whole, and what each would cost. */
function BackupChoice({ record, chosen, onChoose }: BackupChoiceProps) {
  const copies = copiesOf(record);
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
        <p className="dim">{held === record.version ? words.same : words.older(held)}</p>
      )}
    </div>
  );
}

/** Why a text cannot be this record; undefined where it can. What it says of the record is the server's to judge. */
function problemOf(json: string, { type, id }: DamagedVersion): string | undefined {
  const named = parseAs(Named, json);
  if (!named) return words.notJson;
  const isOther = named.resourceType !== type || named.id !== id;
  return isOther ? words.other(`${named.resourceType}/${named.id}`) : undefined;
}

/** What writing begins with. */
function beginning({ type, id }: DamagedVersion): string {
  return `${JSON.stringify({ resourceType: type, id }, null, 2)}\n`;
}
