import { Button, NativeSelect } from '@mantine/core';
import { IconPackage } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, useId } from 'react';
import { PackageList, type InstalledPackage } from '../../../core/app/packages.ts';
import {
  canonicalOf,
  packagesKey,
  usePackages,
  listAvailableProfiles,
  useProfileProgress,
} from '../../platform/packages.ts';
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
import { packagesAmong } from './package-files.ts';
import { packageRun, sayOfPackages, useAddPackages } from './package-run.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { ToneDot } from '../../ui/tone-dot.tsx';

type PackageRow = PackageList['packages'][number];

interface PackageTableProps {
  readonly packages: readonly PackageRow[];
  readonly onRemove: (row: PackageRow) => void;
}

/** Installed packages with their contents and missing dependencies. */
function PackageTable({ packages, onRemove }: PackageTableProps) {
  const { columns } = messages;
  return (
    <table className={`${styles.table} ${styles.packages}`} aria-label={messages.table}>
      <TableHead columns={[columns.name, columns.needs]} action={columns.action} />
      <tbody>
        {packages.map((row) => (
          <tr key={row.file}>
            <th scope="row">{row.state === 'held' ? <PackageName installed={row} /> : row.file}</th>
            <td>
              {row.state === 'held' ? (
                <PackageNeeds installed={row} />
              ) : (
                <>
                  <ToneDot
                    tone={row.state === 'reading' ? 'info' : 'danger'}
                    label={messages.states[row.state]}
                  />{' '}
                  {row.problem}
                </>
              )}
            </td>
            <td className={styles.number}>
              <Button aria-label={messages.removeOf(row.file)} onClick={() => onRemove(row)}>
                {messages.remove}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PackageName({ installed }: { readonly installed: InstalledPackage }) {
  return (
    <>
      {installed.title}
      <br />
      <span className="dim mono">
        {installed.name} {installed.version}
      </span>
      <br />
      <span className="dim">{messages.holds(installed.counts)}</span>
    </>
  );
}

/** Missing definitions first, because they decide which rules can be validated. */
function PackageNeeds({ installed }: { readonly installed: InstalledPackage }) {
  const { profiles, dependencies, notes } = installed;
  const unusable = profiles.filter(({ usable }) => !usable);
  const lacking = profiles.filter(
    ({ usable, lacks: missingDefinitions }) => usable && missingDefinitions.length > 0,
  );
  const missingDependencies = dependencies.filter(({ state }) => state === 'lacking' || state === 'other');
  return (
    <ul className={styles.needs}>
      {profiles.length === 0 && <li className="dim">{messages.noProfiles}</li>}
      {profiles.length > 0 && lacking.length === 0 && unusable.length === 0 && (
        <li>
          <ToneDot tone="good" label={messages.complete} />
        </li>
      )}
      {unusable.map(({ url, title }) => (
        <li key={url}>
          <ToneDot tone="danger" label={messages.notUsable(title)} />
        </li>
      ))}
      {lacking.map(({ url, title, lacks: missingDefinitions }) => (
        <li key={url} title={missingDefinitions.join('\n')}>
          <ToneDot tone="neutral" label={messages.lacks(title, missingDefinitions)} />
        </li>
      ))}
      {missingDependencies.length > 0 && (
        <li className="dim">
          {messages.dependencyList(
            missingDependencies.map(({ name, version, state }) =>
              messages.dependencies[state](`${name} ${version}`),
            ),
          )}
        </li>
      )}
      {notes.map((note) => (
        <li key={note}>
          <ToneDot tone="warning" label={note} />
        </li>
      ))}
    </ul>
  );
}

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

const profileMessages = text.packages.judgeBy;

/** Selects the profile that validates every record of a type. */
function JudgeBy({ list }: { readonly list: PackageList }) {
  return (
    <section className={styles.section} aria-label={profileMessages.heading}>
      <h3>{profileMessages.heading}</h3>
      <p>{profileMessages.what}</p>
      <div className={styles.choices}>
        {resourceTypes.map((type) => (
          <Choice key={type} type={type} list={list} />
        ))}
      </div>
      <Progress />
    </section>
  );
}

/** Progress of profile validation, with its result. */
function Progress() {
  const { data = [] } = useProfileProgress();
  if (data.length === 0) return null;
  return (
    <ul className={styles.progress} aria-label={profileMessages.progress}>
      {data.map(({ type, done, total, applied, violated: violationCount }) => (
        <li key={type}>
          {done < total
            ? profileMessages.checking(type, done / Math.max(1, total))
            : profileMessages.checked(type, violationCount, applied)}
        </li>
      ))}
    </ul>
  );
}

function Choice({ type, list }: { readonly type: ResourceType; readonly list: PackageList }) {
  const id = useId();
  const announce = useAnnounce();
  const [profiles, setProfiles] = usePreference('profiles');
  const selectedProfile = profiles[type] ?? '';
  const options = listAvailableProfiles(list)
    .filter((offer) => offer.type === type)
    .map((offer) => ({ value: canonicalOf(offer), label: `${offer.title} ${offer.version}` }));
  const isMissing = selectedProfile !== '' && options.every(({ value }) => value !== selectedProfile);
  const handleSelect = (value: string) => {
    const otherProfiles = Object.entries(profiles).filter(([name]) => name !== type);
    setProfiles(Object.fromEntries(value === '' ? otherProfiles : [...otherProfiles, [type, value]]));
    const title = options.find((offer) => offer.value === value)?.label ?? value;
    announce(value === '' ? profileMessages.released(type) : profileMessages.chosen(type, title));
  };
  return (
    <>
      <label htmlFor={id}>{profileMessages.of(type)}</label>
      <NativeSelect
        id={id}
        disabled={options.length === 0 && selectedProfile === ''}
        value={selectedProfile}
        data={[
          { value: '', label: profileMessages.claimed },
          ...options,
          ...(isMissing ? [{ value: selectedProfile, label: profileMessages.away(selectedProfile) }] : []),
        ]}
        onChange={({ currentTarget: { value } }) => handleSelect(value)}
      />
      {isMissing && (
        <p role="status" className={styles.leftOut}>
          {profileMessages.notHere(type)}
        </p>
      )}
    </>
  );
}
