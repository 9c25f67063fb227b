import { Radio } from '@mantine/core';
import { useId } from 'react';
import type { JsonNode } from '../../../../core/json/node.ts';
import { parsePointer } from '../../../../core/json/pointer.ts';
import { format } from '../../../../core/json/print.ts';
import { expressionAt } from '../../../../core/fhir/expression.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';
import type { Choice, MergeRow } from '../../../../core/json/merge.ts';
import { text } from '../../../ui/text.ts';
import type { Conflict } from '../record-state.ts';
import styles from './conflict.module.css';
import { isOpen } from './merge-record.ts';

interface MergeTableProps {
  readonly type: ResourceType;
  readonly rows: readonly MergeRow[];
  readonly choices: Conflict['choices'];
  /** Version numbers, for the heads of the columns. */
  readonly base: number | undefined;
  readonly theirs: number | undefined;
  /** The merged text was edited by hand: choosing would undo that. */
  readonly fixed: boolean;
  readonly onChoose: (row: number, choice: Choice) => void;
}

/** Three columns, base in the middle; a row for each changed path, overlaps first, and nothing of what is equal. */
export function MergeTable({ type, rows, choices, base, theirs, fixed, onChoose }: MergeTableProps) {
  const sorted = [...rows].sort(
    (left, right) => Number(right.by === 'overlap') - Number(left.by === 'overlap'),
  );
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={text.conflict.rows}>
      <table className={styles.rows}>
        <thead>
          <tr>
            <th scope="col">{text.conflict.path}</th>
            <th scope="col">{text.conflict.mine}</th>
            <th scope="col">{text.conflict.base(base)}</th>
            <th scope="col">{text.conflict.theirs(theirs)}</th>
            <th scope="col">{text.conflict.take}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((row, place) => {
            const chosen = choices.get(row.id) ?? row.preset;
            return (
              <tr key={row.id} data-by={row.by} data-open={isOpen(row, choices)}>
                <th scope="row">
                  <span className={styles.pointer}>{row.pointer === '' ? '/' : row.pointer}</span>
                  <span className={styles.name}>{expressionAt(type, parsePointer(row.pointer) ?? [])}</span>
                  <span className={styles.by}>{text.conflict.by[row.by]}</span>
                </th>
                <MergeCell nodes={row.mine} taken={isTaken(row, chosen, 'mine')} />
                <MergeCell nodes={row.base} taken={false} />
                <MergeCell nodes={row.theirs} taken={isTaken(row, chosen, 'theirs')} />
                <ChoiceCell {...{ row, chosen, fixed, onChoose }} begins={place === 0} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface MergeCellProps {
  readonly nodes: readonly JsonNode[];
  /** Whether this is part of the merged text. */
  readonly taken: boolean;
}

/** What one side has at a path, laid out; scrolls where it is long. */
function MergeCell({ nodes, taken }: MergeCellProps) {
  return (
    <td data-taken={taken}>
      {nodes.length === 0 ? (
        <span className={styles.nothing}>{text.conflict.nothing}</span>
      ) : (
        <pre>{nodes.map((node) => format(node)).join(',\n')}</pre>
      )}
    </td>
  );
}

interface ChoiceCellProps extends Pick<MergeTableProps, 'fixed' | 'onChoose'> {
  readonly row: MergeRow;
  readonly chosen: Choice | undefined;
  /** Whether the sheet begins here. */
  readonly begins: boolean;
}

/** Which side is taken. */
function ChoiceCell({ row, chosen, fixed, begins, onChoose }: ChoiceCellProps) {
  const name = useId();
  return (
    <td>
      {row.choices.length === 0 ? (
        <span className={styles.by}>{text.conflict.agreed}</span>
      ) : (
        <div
          className={styles.choices}
          role="radiogroup"
          aria-label={text.conflict.choose(row.pointer === '' ? '/' : row.pointer)}
        >
          {row.choices.map((value, index) => (
            <Radio
              key={value}
              size="xs"
              name={name}
              value={value}
              label={text.conflict.choices[value]}
              checked={chosen === value}
              disabled={fixed}
              // Nothing is chosen by Enter alone.
              data-autofocus={(begins && index === 0) || undefined}
              onChange={() => onChoose(row.id, value)}
            />
          ))}
        </div>
      )}
    </td>
  );
}

/** Whether a side's value is part of the merged text; of what is open, neither. */
function isTaken({ by }: MergeRow, chosen: Choice | undefined, side: 'mine' | 'theirs'): boolean {
  return chosen === undefined ? by === 'same' : chosen === side || chosen === 'both';
}
