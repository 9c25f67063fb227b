import { Radio } from '@mantine/core';
import { useId } from 'react';
import { formatNode, type JsonNode } from '../../../../core/json/node.ts';
import { parsePointer } from '../../../../core/json/pointer.ts';
import { expressionAt } from '../../../../core/fhir/validation/finding.ts';
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
  /** Version numbers for the column headings. */
  readonly base: number | undefined;
  readonly theirs: number | undefined;
  /** True if the merged text was edited by hand. A choice would undo the edits. */
  readonly fixed: boolean;
  readonly onSelect: (row: number, choice: Choice) => void;
}

/** Table with ours, base and theirs. One row per changed path, overlaps first. Equal paths are left out. */
export function MergeTable({ type, rows, choices, base, theirs, fixed, onSelect }: MergeTableProps) {
  const sortedRows = [...rows].sort(
    (leftRow, rightRow) => Number(rightRow.side === 'overlap') - Number(leftRow.side === 'overlap'),
  );
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={text.conflict.rows}>
      <table className={styles.rows}>
        <thead>
          <tr>
            <th scope="col">{text.conflict.path}</th>
            <th scope="col">{text.conflict.ours}</th>
            <th scope="col">{text.conflict.base(base)}</th>
            <th scope="col">{text.conflict.theirs(theirs)}</th>
            <th scope="col">{text.conflict.take}</th>
          </tr>
        </thead>
        <tbody>
          {sortedRows.map((row, index) => {
            const choice = choices.get(row.id) ?? row.preset;
            return (
              <tr key={row.id} data-by={row.side} data-open={isOpen(row, choices)}>
                <th scope="row">
                  <span className={styles.pointer}>{row.pointer === '' ? '/' : row.pointer}</span>
                  <span className={styles.name}>{expressionAt(type, parsePointer(row.pointer) ?? [])}</span>
                  <span className={styles.by}>{text.conflict.by[row.side]}</span>
                </th>
                <MergeCell nodes={row.ours} isInResult={isTaken(row, choice, 'ours')} />
                <MergeCell nodes={row.base} isInResult={false} />
                <MergeCell nodes={row.theirs} isInResult={isTaken(row, choice, 'theirs')} />
                <ChoiceCell
                  row={row}
                  selectedChoice={choice}
                  fixed={fixed}
                  onSelect={onSelect}
                  hasInitialFocus={index === 0}
                />
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
  /** True if this value is part of the merged text. */
  readonly isInResult: boolean;
}

/** The formatted value of one side at a path. A long value scrolls. */
function MergeCell({ nodes, isInResult }: MergeCellProps) {
  return (
    <td data-taken={isInResult}>
      {nodes.length === 0 ? (
        <span className={styles.nothing}>{text.conflict.nothing}</span>
      ) : (
        <pre>{nodes.map((node) => formatNode(node)).join(',\n')}</pre>
      )}
    </td>
  );
}

interface ChoiceCellProps extends Pick<MergeTableProps, 'fixed' | 'onSelect'> {
  readonly row: MergeRow;
  readonly selectedChoice: Choice | undefined;
  /** True if the sheet focuses this cell when it opens. */
  readonly hasInitialFocus: boolean;
}

/** Radio group that selects a side. */
function ChoiceCell({ row, selectedChoice, fixed, hasInitialFocus, onSelect }: ChoiceCellProps) {
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
              checked={selectedChoice === value}
              disabled={fixed}
              // Focus selects nothing, so Enter can't choose by accident.
              data-autofocus={(hasInitialFocus && index === 0) || undefined}
              onChange={() => onSelect(row.id, value)}
            />
          ))}
        </div>
      )}
    </td>
  );
}

/** Returns true if the value of a side is part of the merged text. An open row uses no side. */
function isTaken({ side: origin }: MergeRow, choice: Choice | undefined, side: 'ours' | 'theirs'): boolean {
  return choice === undefined ? origin === 'same' : choice === side || choice === 'both';
}
