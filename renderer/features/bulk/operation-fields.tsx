import { Button, NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { IconArrowRight, IconPlus, IconX } from '@tabler/icons-react';
import { bulkLimits, type BulkOperation } from '../../../core/app/bulk.ts';
import { fixes, wideFixes, wordsOfFix } from '../../../core/fhir/fixes/fixes.ts';
import { parseTyped } from '../../platform/read-json.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { text } from '../../ui/text.ts';
import styles from './bulk.module.css';
import { emptyRow, type OperationKind, type OperationRow } from './operation-rows.ts';
import { WayField } from './way-field.tsx';
import { OperationValues } from './operation-values.tsx';
import type { Sample } from './sample.ts';

interface OperationFieldsProps {
  readonly rows: readonly OperationRow[];
  readonly onChange: (rows: readonly OperationRow[]) => void;
  /** Where and why an expression cannot be parsed. */
  readonly faultOf: (expression: string) => string | undefined;
  /** The first records, once they are read. */
  readonly sample: Sample | undefined;
}

const offered = ['replace', 'compute', 'fix'] as const satisfies readonly OperationKind[];

/** The fixes that mend many findings at once: those of many rules first, then rule by rule. */
const offeredFixes = [
  ...Object.entries(wideFixes).map(([value, label]) => ({ value, label })),
  ...fixes.flatMap(({ rule, words }) => (words === undefined ? [] : [{ value: rule, label: words }])),
];

/** The operations as they are written: what is done, where, only where what stands there, and what is to stand there. */
export function OperationFields({ rows, onChange, faultOf, sample }: OperationFieldsProps) {
  const change = (row: OperationRow) => onChange(rows.map((one) => (one.key === row.key ? row : one)));
  return (
    <div className={styles.operations}>
      {rows.map((row, index) => (
        <div
          key={row.key}
          className={styles.operation}
          role="group"
          aria-label={text.bulk.operation(index + 1)}
        >
          <NativeSelect
            label={text.bulk.kind(index + 1)}
            data={offered.map((value) => ({ value, label: text.bulk.kinds[value] }))}
            value={row.kind}
            onChange={({ currentTarget: { value } }) =>
              change({ ...row, kind: offered.find((one) => one === value) ?? 'replace' })
            }
          />
          <KindFields row={row} number={index + 1} onChange={change} faultOf={faultOf} sample={sample} />
          {rows.length > 1 && (
            <IconButton
              label={text.bulk.remove(index + 1)}
              className={styles.remove}
              onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
            >
              <IconX size={16} />
            </IconButton>
          )}
          {sample && row.kind !== 'fix' && (
            <OperationValues
              sample={sample}
              path={row.path}
              now={row.now}
              onNow={(now) => change({ ...row, now })}
            />
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
            onChange([...rows, { ...emptyRow, key }]);
          }}
        >
          {text.bulk.add}
        </Button>
        <span>{text.bulk.star}</span>
        {rows.some(({ kind }) => kind === 'compute') && <span>{text.bulk.compute.hint}</span>}
        <span>{text.bulk.dryRunFirst}</span>
      </div>
    </div>
  );
}

interface KindFieldsProps extends Pick<OperationFieldsProps, 'faultOf' | 'sample'> {
  readonly row: OperationRow;
  readonly number: number;
  readonly onChange: (row: OperationRow) => void;
}

/** What an operation of its kind asks for. */
function KindFields({ row, number, onChange, faultOf, sample }: KindFieldsProps) {
  if (row.kind === 'fix') {
    return (
      <>
        <NativeSelect
          className={styles.wide}
          label={text.bulk.fix(number)}
          data={[{ value: '', label: text.bulk.noFix }, ...offeredFixes]}
          value={row.fix}
          onChange={({ currentTarget }) => onChange({ ...withoutWay(row), fix: currentTarget.value })}
        />
        <WayField row={row} number={number} sample={sample} onChange={onChange} />
      </>
    );
  }
  const line = (name: 'path' | 'now' | 'expression' | 'value'): LineProps => ({
    label: text.bulk[name](number),
    placeholder: text.bulk[`${name}Hint`],
    classNames: { input: 'mono' },
    spellCheck: false,
    value: row[name],
    onChange: ({ currentTarget }) => onChange({ ...row, [name]: currentTarget.value }),
  });
  return (
    <>
      <TextInput {...line('path')} data-autofocus={number === 1 || undefined} />
      <ValueInput {...line('now')} />
      {row.kind === 'compute' ? (
        <TextInput
          {...line('expression')}
          maxLength={bulkLimits.text}
          error={faultOf(row.expression.trim())}
        />
      ) : (
        <ValueInput {...line('value')} />
      )}
    </>
  );
}

/** Another rule has other ways. */
function withoutWay({ way: _, ...row }: OperationRow): OperationRow {
  return row;
}

type LineProps = TextInputProps & { readonly value: string };

function ValueInput(props: LineProps) {
  const read = parseTyped(props.value);
  return (
    <div>
      <TextInput {...props} error={read.kind === 'broken' ? read.message : undefined} />
      {read.kind === 'text' && <p className={styles.asText}>{text.bulk.asString(read.source)}</p>}
    </div>
  );
}

/** The operations that are being tried or sent. */
export function OperationList({ operations }: { readonly operations: readonly BulkOperation[] }) {
  return (
    <ul className={styles.summary} aria-label={text.bulk.steps.compose}>
      {operations.map((operation) => (
        <li key={JSON.stringify(operation)}>
          <OperationLine operation={operation} />
        </li>
      ))}
    </ul>
  );
}

function OperationLine({ operation }: { readonly operation: BulkOperation }) {
  if (operation.kind === 'fix') {
    const words = operation.words ?? wordsOfFix(operation.fix) ?? operation.fix;
    return <span>{`${text.bulk.kinds.fix}: ${words}`}</span>;
  }
  return (
    <>
      <span>{operation.path}</span>
      {operation.now !== undefined && <del>{operation.now}</del>}
      <IconArrowRight size={14} aria-hidden />
      <ins>{operation.kind === 'compute' ? operation.expression : operation.value}</ins>
    </>
  );
}
