import { Button, FileButton, Modal, NativeSelect, Radio, useComputedColorScheme } from '@mantine/core';
import { useState, memo, useEffect, useId } from 'react';
import * as v from 'valibot';
import type { DamagedVersion, IntactCopy } from '../../../core/app/damage.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { useLacks } from '../../platform/app-queries.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import sheet from '../../ui/sheet.module.css';
import { text } from '../../ui/text.ts';
import { localTime } from '../../ui/time.ts';
import { nameOf } from './damage-table.tsx';
import styles from './damage.module.css';
import { useRepair, type RepairSource } from './use-damage.ts';
import { editorOptions } from '../../platform/editor-options.ts';
import { wrapLongLines } from '../../platform/long-lines.ts';
import { disposeModel, monacoModule } from '../../platform/monaco-loader.ts';
import { monacoThemes } from '../../platform/monaco-themes.ts';
import { useLazyModule } from '../../ui/lazy-module.ts';
import type { RecordName } from '../../platform/workbench-actions.ts';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';

const messages = text.damage.mend;

const ResourceIdentity = v.object({ resourceType: v.string(), id: v.string() });

const sources = ['backup', 'file', 'text'] as const;
type Source = (typeof sources)[number];

interface TextFile {
  readonly name: string;
  readonly text: string;
}

interface Choice {
  readonly source: Source;
  /** Name of the backup; empty if there is none. */
  readonly backup: string;
  readonly file: TextFile | undefined;
  readonly editedText: string;
}

interface MendSheetProps {
  readonly record: DamagedVersion;
  readonly onClose: () => void;
}

/** Replaces a damaged text by an intact one from a backup, a file or the editor. */
export function RepairSheet({ record, onClose }: MendSheetProps) {
  const { version, current } = record;
  const backups = copiesOf(record);
  const name = nameOf(record);
  const announce = useAnnounce();
  const noBackupText = useLacks('backups') ? messages.databaseBackups : messages.none;
  const [source, setSource] = useState<Source>(backups.length > 0 ? 'backup' : 'text');
  const [backup, setBackup] = useState(backups[0]?.name ?? '');
  const [file, setFile] = useState<TextFile>();
  const [editedText, setEditedText] = useState(() => initialText(record));
  const repairSource = toRepairSource({ source, backup, file, editedText });
  const problem = repairSource && 'text' in repairSource ? problemOf(repairSource.text, record) : undefined;
  const repair = useRepair(record, () => {
    announce(messages.done(name));
    onClose();
  });

  return (
    <Modal
      opened
      onClose={onClose}
      title={messages.title(name)}
      size={720}
      closeOnClickOutside={false}
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
    >
      <div className={sheet.form}>
        <p>{current ? messages.what(version) : messages.whatFormer(version)}</p>
        {current && (
          <SourceChoice selectedSource={source} hasBackups={backups.length > 0} onSelect={setSource} />
        )}
        {backups.length === 0 && <p className="dim">{noBackupText}</p>}
        {source === 'backup' && <BackupChoice record={record} selectedBackup={backup} onSelect={setBackup} />}
        {source === 'file' && <FileChoice fileName={file?.name} onSelect={setFile} />}
        {source === 'text' && (
          <div className={styles.editor}>
            <WholeEditor record={record} json={editedText} onChange={setEditedText} />
          </div>
        )}
        {problem !== undefined && (
          <p className={styles.problem} role="status">
            {problem}
          </p>
        )}
        <RequestFailure title={messages.failed} query={repair} />
        <div className={sheet.formActions}>
          <Button onClick={onClose}>{messages.cancel}</Button>
          <Button
            variant="filled"
            disabled={!repairSource || problem !== undefined}
            loading={repair.isPending}
            onClick={() => repairSource && repair.mutate(repairSource)}
          >
            {messages.confirm}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

interface SourceChoiceProps {
  readonly selectedSource: Source;
  readonly hasBackups: boolean;
  readonly onSelect: (source: Source) => void;
}

/** Selects the source of the intact text. */
function SourceChoice({ selectedSource, hasBackups, onSelect }: SourceChoiceProps) {
  return (
    <Radio.Group
      label={messages.source}
      value={selectedSource}
      onChange={(value) => onSelect(sources.find((candidate) => candidate === value) ?? selectedSource)}
    >
      <div className={styles.sources}>
        {sources.map((option) => (
          <Radio
            key={option}
            size="xs"
            value={option}
            label={messages.sources[option]}
            disabled={option === 'backup' && !hasBackups}
            data-autofocus={option === selectedSource || undefined}
          />
        ))}
      </div>
    </Radio.Group>
  );
}

interface FileChoiceProps {
  readonly fileName: string | undefined;
  readonly onSelect: (file: TextFile) => void;
}

function FileChoice({ fileName, onSelect }: FileChoiceProps) {
  return (
    <div className={styles.row}>
      <FileButton
        accept="application/json,.json"
        onChange={(file) => {
          if (file) void file.text().then((json) => onSelect({ name: file.name, text: json }));
        }}
      >
        {(props) => <Button {...props}>{messages.choose}</Button>}
      </FileButton>
      <span className={fileName === undefined ? 'dim' : 'mono'}>{fileName ?? messages.noFile}</span>
    </div>
  );
}

/** Returns the selected source; undefined while it is incomplete. */
function toRepairSource({ source, backup, file, editedText }: Choice): RepairSource | undefined {
  if (source === 'backup') return backup === '' ? undefined : { backup };
  return source === 'text' ? { text: editedText } : file && { text: file.text };
}

/** Returns the backups that can repair a version. An older version needs its own copy. */
function copiesOf({ current, version, backups }: DamagedVersion): readonly IntactCopy[] {
  return current ? backups : backups.filter((copy) => copy.version === version);
}

interface BackupChoiceProps {
  readonly record: DamagedVersion;
  readonly selectedBackup: string;
  readonly onSelect: (name: string) => void;
}

/** Selects a backup with an intact copy, and names the changes that it lacks. */
function BackupChoice({ record, selectedBackup, onSelect }: BackupChoiceProps) {
  const copies = copiesOf(record);
  const copyVersion = copies.find(({ name }) => name === selectedBackup)?.version;
  return (
    <div className={styles.choice}>
      <NativeSelect
        label={messages.backup}
        value={selectedBackup}
        onChange={({ currentTarget }) => onSelect(currentTarget.value)}
        data={copies.map(({ name, time, version: copyVersion }) => ({
          value: name,
          label: messages.backupOf(localTime(time), name, copyVersion),
        }))}
      />
      {copyVersion !== undefined && (
        <p className="dim">{copyVersion === record.version ? messages.same : messages.older(copyVersion)}</p>
      )}
    </div>
  );
}

/** Returns why a text can't be this record; undefined if it can. The server validates its content. */
function problemOf(json: string, { type, id }: DamagedVersion): string | undefined {
  const identity = parseAs(ResourceIdentity, json);
  if (!identity) return messages.notJson;
  const isOther = identity.resourceType !== type || identity.id !== id;
  return isOther ? messages.other(`${identity.resourceType}/${identity.id}`) : undefined;
}

/** Returns the initial text of the editor. */
function initialText({ type, id }: DamagedVersion): string {
  return `${JSON.stringify({ resourceType: type, id }, null, 2)}\n`;
}

const options = { ...editorOptions, ariaLabel: text.damage.mend.editor };

interface WholeEditorProps {
  readonly record: RecordName;
  readonly json: string;
  readonly onChange: (json: string) => void;
}

/** Editor for the intact record, with the suggestions and markers of a record tab. */
const WholeEditor = memo(function WholeEditor(props: WholeEditorProps) {
  const { type, id } = props.record;
  const { json, onChange } = props;
  const Editor = useLazyModule(monacoModule)?.Editor;
  const scheme = useComputedColorScheme('light');
  const path = `chartkeeper:/${type}/${id}/mend-${useId()}.json`;
  useEffect(() => () => disposeModel(path), [path]);
  if (!Editor) return <RecordSkeleton />;
  return (
    <Editor
      path={path}
      value={json}
      language="json"
      theme={monacoThemes[scheme]}
      className="monaco-component"
      loading={<RecordSkeleton />}
      options={options}
      onMount={wrapLongLines}
      onChange={(value) => onChange(value ?? '')}
    />
  );
});
