import { Button } from '@mantine/core';
import type { HeldPackage, PackageList } from '../../../core/app/packages.ts';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import { ToneDot } from '../../ui/tone-dot.tsx';
import styles from './data.module.css';

const words = text.packages;

export type PackageRow = PackageList['packages'][number];

interface PackageTableProps {
  readonly packages: readonly PackageRow[];
  readonly onRemove: (row: PackageRow) => void;
}

/** The packages, what each holds, and what it needs that is not at hand. */
export function PackageTable({ packages, onRemove }: PackageTableProps) {
  const { columns } = words;
  return (
    <table className={`${styles.table} ${styles.packages}`} aria-label={words.table}>
      <TableHead columns={[columns.name, columns.needs]} action={columns.action} />
      <tbody>
        {packages.map((one) => (
          <tr key={one.file}>
            <th scope="row">{one.state === 'held' ? <Name held={one} /> : one.file}</th>
            <td>
              {one.state === 'held' ? (
                <Needs held={one} />
              ) : (
                <>
                  <ToneDot
                    tone={one.state === 'reading' ? 'info' : 'danger'}
                    label={words.states[one.state]}
                  />{' '}
                  {one.problem}
                </>
              )}
            </td>
            <td className={styles.number}>
              <Button aria-label={words.removeOf(one.file)} onClick={() => onRemove(one)}>
                {words.remove}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name({ held }: { readonly held: HeldPackage }) {
  return (
    <>
      {held.title}
      <br />
      <span className="dim mono">
        {held.name} {held.version}
      </span>
      <br />
      <span className="dim">{words.holds(held.counts)}</span>
    </>
  );
}

/** What is lacking first, as it decides what can be judged. */
function Needs({ held }: { readonly held: HeldPackage }) {
  const { profiles, dependencies, notes } = held;
  const unusable = profiles.filter(({ usable }) => !usable);
  const lacking = profiles.filter(({ usable, lacks }) => usable && lacks.length > 0);
  const others = dependencies.filter(({ state }) => state === 'lacking' || state === 'other');
  return (
    <ul className={styles.needs}>
      {profiles.length === 0 && <li className="dim">{words.noProfiles}</li>}
      {profiles.length > 0 && lacking.length === 0 && unusable.length === 0 && (
        <li>
          <ToneDot tone="good" label={words.complete} />
        </li>
      )}
      {unusable.map(({ url, title }) => (
        <li key={url}>
          <ToneDot tone="danger" label={words.notUsable(title)} />
        </li>
      ))}
      {lacking.map(({ url, title, lacks }) => (
        <li key={url} title={lacks.join('\n')}>
          <ToneDot tone="neutral" label={words.lacks(title, lacks)} />
        </li>
      ))}
      {others.length > 0 && (
        <li className="dim">
          {others
            .map(({ name, version, state }) => `${name} ${version} ${words.dependencies[state]}`)
            .join('; ')}
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
