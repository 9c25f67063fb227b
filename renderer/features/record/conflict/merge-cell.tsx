import type { JsonNode } from '../../../../core/json/node.ts';
import { format } from '../../../../core/json/print.ts';
import { text } from '../../../ui/text.ts';
import styles from './conflict.module.css';

interface MergeCellProps {
  readonly nodes: readonly JsonNode[];
  /** Whether this is part of the merged text. */
  readonly taken: boolean;
}

/** What one side has at a path, laid out; scrolls where it is long. */
export function MergeCell({ nodes, taken }: MergeCellProps) {
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
