import { Button } from '@mantine/core';
import type { InstalledPackage, PackageList } from '../../../core/app/packages.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import styles from './data.module.css';

const messages = text.packages;

export type PackageRow = PackageList['packages'][number];

interface PackageTableProps {
  readonly packages: readonly PackageRow[];
  readonly onRemove: (row: PackageRow) => void;
}

/** Installed packages with their contents and missing dependencies. */
export function PackageTable({ packages, onRemove }: PackageTableProps) {
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
