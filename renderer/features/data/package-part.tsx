import { Button } from '@mantine/core';
import { IconPackage } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PackageList } from '../../../core/app/packages.ts';
import { canonicalOf, packagesKey, usePackages } from '../../platform/packages.ts';
import { usePreference } from '../../platform/preferences.ts';
import { useChange } from '../../platform/use-change.ts';
import { QueryContent } from '../../ui/query-state.tsx';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { useStore } from '../../ui/store.ts';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { FilePickers } from './file-picker.tsx';
import { JudgeBy } from './profile-picker.tsx';
import { packagesAmong } from './package-files.ts';
import { packageRun, sayOfPackages, useAddPackages } from './package-run.ts';
import { PackageTable, type PackageRow } from './package-table.tsx';

const messages = text.packages;

/** FHIR packages with their dependencies, and the profiles that validate each type. */
export function PackageSection() {
  return (
    <QueryContent query={usePackages()} failureTitle={messages.failed}>
      {(list) => <Packages list={list} />}
    </QueryContent>
  );
}

function Packages({ list }: { readonly list: PackageList }) {
  const { lines, adding } = useStore(packageRun);
  const [rowToRemove, setRowToRemove] = useState<PackageRow>();
  const [profiles] = usePreference('profiles');
  const hasChoice = list.packages.length > 0 || Object.keys(profiles).length > 0;
  return (
    <div className={styles.column}>
      <h2>{messages.heading}</h2>
      <p>{messages.what}</p>
      <Pickers list={list} busy={adding !== undefined} />
      {adding !== undefined && (
        <p className="dim" role="status">
          {messages.adding(adding)}
        </p>
      )}
      {lines.map((line) => (
        <p key={line.text} className={styles.summary} data-tone={line.tone}>
          {line.text}
        </p>
      ))}
      {list.packages.length === 0 ? (
        <p>{messages.empty}</p>
      ) : (
        <PackageTable packages={list.packages} onRemove={setRowToRemove} />
      )}
      {hasChoice && <JudgeBy list={list} />}
      {rowToRemove && (
        <RemoveQuestion row={rowToRemove} folder={list.folder} onEnd={() => setRowToRemove(undefined)} />
      )}
    </div>
  );
}

function Pickers({ list, busy }: { readonly list: PackageList; readonly busy: boolean }) {
  const queries = useQueryClient();
  const addPackages = useAddPackages();
  const look = useChange(
    (client) => client.requestAs(PackageList, 'POST', '/packages/look'),
    (packageList) => void queries.setQueryData(packagesKey, packageList),
  );
  return (
    <>
      <FilePickers
        accept=".tgz,.gz,.tar"
        icon={IconPackage}
        words={messages}
        busy={busy}
        empty={list.packages.length === 0}
        onChosen={(files) => void addPackages(packagesAmong(files).packages)}
      >
        {list.folder !== undefined && (
          <Button
            variant="subtle"
            loading={look.isPending}
            title={messages.lookHint(list.folder)}
            onClick={() => look.mutate()}
          >
            {messages.look}
          </Button>
        )}
      </FilePickers>
      <RequestFailure title={messages.notLooked} query={look} />
    </>
  );
}

interface RemoveQuestionProps {
  readonly row: PackageRow;
  readonly folder: PackageList['folder'];
  readonly onEnd: () => void;
}

function RemoveQuestion({ row, folder, onEnd }: RemoveQuestionProps) {
  const announce = useAnnounce();
  const [profiles] = usePreference('profiles');
  const { question } = messages;
  const name = row.state === 'held' ? `${row.name} ${row.version}` : row.file;
  const affectedTypes =
    row.state === 'held'
      ? row.profiles.filter((offer) => profiles[offer.type] === canonicalOf(offer)).map(({ type }) => type)
      : [];
  // Findings of its profiles disappear, so all queries are reloaded.
  const remove = useChange(
    (client) => client.app('DELETE', `/packages/${encodeURIComponent(row.file)}`),
    () => {
      const message = messages.removed(name);
      sayOfPackages({ tone: 'good', text: message });
      announce(message);
    },
  );
  return (
    <Question
      title={question.title}
      confirm={question.confirm}
      keep={question.keep}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onEnd })}
      onKeep={onEnd}
    >
      <p>{(folder === undefined ? question.shared : question.what)(name)}</p>
      {affectedTypes.length > 0 && <p>{question.chosen(affectedTypes)}</p>}
      <p>{question.findings}</p>
      <RequestFailure title={question.failed} query={remove} />
    </Question>
  );
}
