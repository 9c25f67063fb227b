import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { IconArrowRight, IconPlus, IconX } from '@tabler/icons-react';
import { bulkLimits, type BulkOperation } from '../../../core/app/bulk.ts';
import { text } from '../../ui/text.ts';
import styles from './bulk.module.css';
import { readValue, type OperationRow } from './operation-rows.ts';

interface OperationFieldsProps {
  readonly rows: readonly OperationRow[];
  readonly onChange: (rows: readonly OperationRow[]) => void;
}

/** The operations as they are written: where, only where what stands there, and what is to stand there. */
export function OperationFields({ rows, onChange }: OperationFieldsProps) {
  const change = (row: OperationRow) => onChange(rows.map((one) => (one.key === row.key ? row : one)));
  return (
    <div className={styles.operations}>
      <div className={styles.columns} aria-hidden>
        <span>{text.bulk.path(1)}</span>
        <span>{text.bulk.now(1)}</span>
        <span>{text.bulk.value(1)}</span>
      </div>
      {rows.map((row, index) => (
        <div
          key={row.key}
          className={styles.operation}
          role="group"
          aria-label={text.bulk.operation(index + 1)}
        >
          <TextInput
            aria-label={text.bulk.path(index + 1)}
            placeholder={text.bulk.pathHint}
            classNames={{ input: 'mono' }}
            spellCheck={false}
            data-autofocus={index === 0 || undefined}
            value={row.path}
            onChange={({ currentTarget }) => change({ ...row, path: currentTarget.value })}
          />
          <ValueInput
            label={text.bulk.now(index + 1)}
            placeholder={text.bulk.nowHint}
            value={row.now}
            onChange={(now) => change({ ...row, now })}
          />
          <ValueInput
            label={text.bulk.value(index + 1)}
            placeholder={text.bulk.valueHint}
            value={row.value}
            onChange={(value) => change({ ...row, value })}
          />
          {rows.length > 1 && (
            <Tooltip label={text.bulk.remove(index + 1)}>
              <ActionIcon
                aria-label={text.bulk.remove(index + 1)}
                onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      ))}
      <div className={styles.under}>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={rows.length >= bulkLimits.operations}
          onClick={() => {
            const key = Math.max(...rows.map((row) => row.key)) + 1;
            onChange([...rows, { key, path: '', now: '', value: '' }]);
          }}
        >
          {text.bulk.add}
        </Button>
        <span>{text.bulk.star}</span>
        <span>{text.bulk.dryRunFirst}</span>
      </div>
    </div>
  );
}

interface ValueInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ValueInput({ label, placeholder, value, onChange }: ValueInputProps) {
  const read = readValue(value);
  return (
    <div>
      <TextInput
        aria-label={label}
        placeholder={placeholder}
        classNames={{ input: 'mono' }}
        spellCheck={false}
        value={value}
        error={read.kind === 'broken' ? `${read.message}.` : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {read.kind === 'text' && <p className={styles.asText}>{text.bulk.asString(read.source)}</p>}
    </div>
  );
}

/** The operations that are being tried or sent. */
export function OperationList({ operations }: { readonly operations: readonly BulkOperation[] }) {
  return (
    <ul className={styles.summary} aria-label={text.bulk.steps.compose}>
      {operations.map(({ path, value, now }) => (
        <li key={`${path} ${now ?? ''}`}>
          <span>{path}</span>
          {now !== undefined && <del>{now}</del>}
          <IconArrowRight size={14} aria-hidden />
          <ins>{value}</ins>
        </li>
      ))}
    </ul>
  );
}
