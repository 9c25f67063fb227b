import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { useMemo, useState } from 'react';
import { csvLine } from '../../../core/app/csv.ts';
import type { TrainingDefect } from '../../../core/app/training.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import { fileName, useSaveCsv } from '../../platform/save-file.ts';
import { useDefects } from './use-training.ts';

const messages = text.data.training.defects;

/**
 * Lists the seeded defects of the migration set, to compare them with the findings. Renders nothing if the set is not
 * loaded.
 */
export function DefectList({ loaded }: { readonly loaded: boolean }) {
  const [isVisible, setVisible] = useState(false);
  const query = useDefects(isVisible && loaded);
  if (!loaded) return null;
  return (
    <section className={styles.section} aria-label={messages.heading}>
      <h3>{messages.heading}</h3>
      {!isVisible && (
        <div className={styles.row}>
          <Button onClick={() => setVisible(true)}>{messages.show}</Button>
        </div>
      )}
      {isVisible && query.isPending && <Skeleton height={12} />}
      <RequestFailure title={messages.failed} query={query} />
      {isVisible && query.data && <DefectTable defects={query.data} />}
    </section>
  );
}

function DefectTable({ defects }: { readonly defects: readonly TrainingDefect[] }) {
  const actions = useWorkbenchActions();
  const saveCsv = useSaveCsv();
  const [rule, setRule] = useState('');
  const counts = useMemo(() => countsOf(defects), [defects]);
  const rows = useMemo(
    () =>
      defects
        .filter((defect) => rule === '' || defect.rule === rule)
        .sort((a, b) => a.rule.localeCompare(b.rule)),
    [defects, rule],
  );
  const { columns } = messages;
  return (
    <>
      <div className={styles.row}>
        <label htmlFor="defect-rule">{messages.rule}</label>
        <NativeSelect
          id="defect-rule"
          value={rule}
          data={[
            { value: '', label: messages.allRules(defects.length) },
            ...counts.map(([id, count]) => ({ value: id, label: `${id} (${count})` })),
          ]}
          onChange={({ currentTarget: { value } }) => setRule(value)}
        />
        <Button onClick={() => saveCsv(csvRows(rows), fileName('planted-defects', 'csv'))}>
          {messages.saveCsv}
        </Button>
      </div>
      <div className={styles.defects} tabIndex={0} role="region" aria-label={messages.table}>
        <table className={styles.table}>
          <TableHead columns={[columns.rule, columns.record, columns.pointer]} />
          <tbody>
            {rows.map(({ rule: id, type, id: record, title, pointer }) => (
              <tr key={record}>
                <td className="mono">{id}</td>
                <td>
                  <LinkButton onClick={() => actions.openRecord({ type, id: record, title, pointer })}>
                    {type}: {title}
                  </LinkButton>
                </td>
                <td className="mono">{pointer === '' ? messages.root : pointer}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function countsOf(defects: readonly TrainingDefect[]): readonly (readonly [rule: string, count: number])[] {
  return [...Map.groupBy(defects, ({ rule }) => rule)]
    .map(([rule, ruleDefects]) => [rule, ruleDefects.length] as const)
    .sort(([ruleA], [ruleB]) => ruleA.localeCompare(ruleB));
}

function csvRows(defects: readonly TrainingDefect[]): string[] {
  const rows = defects.map(({ rule, type, id, pointer }) => csvLine([rule, type, id, pointer]));
  return [csvLine(['rule', 'type', 'id', 'pointer']), ...rows];
}
