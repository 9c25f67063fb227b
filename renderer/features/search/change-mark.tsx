import { writerOf } from '../../../core/app/authorship.ts';
import type { ReactNode } from 'react';
import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';
import { useHeard } from '../../platform/live.ts';
import { text } from '../../ui/text.ts';
import type { ResultColumn } from './result-columns.tsx';
import styles from './search.module.css';

/** The columns with a mark at the head of each row whose record was changed since it was listed. */
export function withChangeMarks([first, ...others]: readonly ResultColumn[]): readonly ResultColumn[] {
  if (!first) return [];
  const cell: ResultColumn['cell'] = (row, ...further) => (
    <>
      {isResourceType(row.type) && <ChangeMark type={row.type} id={row.id} version={row.version} />}
      {first.cell(row, ...further)}
    </>
  );
  return [{ ...first, cell }, ...others];
}

interface ChangeMarkProps {
  readonly type: ResourceType;
  readonly id: string;
  /** As it was listed. */
  readonly version: string;
}

function ChangeMark({ type, id, version }: ChangeMarkProps): ReactNode {
  const heard = useHeard(type, id);
  if (!heard || heard.version <= Number(version)) return null;
  const words = text.results.changed(heard.version, writerOf(heard));
  return <span className={styles.changed} role="img" aria-label={words} title={words} />;
}
