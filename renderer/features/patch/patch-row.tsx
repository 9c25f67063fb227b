import { ActionIcon, Textarea, Tooltip } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { JsonNode } from '../../../core/json/node.ts';
import { text } from '../../ui/text.ts';
import { currentValue, parseValue, type PatchRow } from './patch-rows.ts';
import { PathField } from './path-field.tsx';
import styles from './patch.module.css';

interface OperationRowProps {
  readonly row: PatchRow;
  readonly index: number;
  readonly record: JsonNode;
  readonly paths: readonly string[];
  readonly removable: boolean;
  readonly onChange: (row: PatchRow) => void;
  readonly onRemove: () => void;
}

/** One replace operation: path, what stands there now, and the value to put there. */
export function OperationRow(props: OperationRowProps) {
  const { row, index, record, paths, removable, onChange, onRemove } = props;
  const current = currentValue(record, row.path);
  const parsed = parseValue(row.value);
  return (
    <div className={styles.row} role="group" aria-label={text.patch.operation(index + 1)}>
      <PathField
        label={text.patch.path(index)}
        value={row.path}
        paths={paths}
        autoFocus={index === 0}
        onChange={(path) => onChange({ ...row, path })}
      />
      <div className={styles.current} title={current}>
        {current ?? <span>{row.path === '' ? '' : text.patch.absent}</span>}
      </div>
      <div>
        <Textarea
          aria-label={text.patch.value(index)}
          placeholder={text.patch.valueHint}
          classNames={{ input: `mono ${styles.value}` }}
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
          value={row.value}
          error={parsed.kind === 'broken' ? `${parsed.message}.` : undefined}
          onChange={({ currentTarget }) => onChange({ ...row, value: currentTarget.value })}
        />
        {parsed.kind === 'text' && <p className={styles.asText}>{text.patch.asString(parsed.source)}</p>}
      </div>
      {removable && (
        <Tooltip label={text.patch.remove(index + 1)}>
          <ActionIcon aria-label={text.patch.remove(index + 1)} onClick={onRemove}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}
