import { Button, NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { IconArrowRight, IconPlus, IconX } from '@tabler/icons-react';
import { bulkLimits, type BulkOperation } from '../../../core/app/bulk.ts';
import { fixes, wideFixes, wordsOfFix } from '../../../core/fhir/fixes/fixes.ts';
import { parseTyped } from '../../platform/read-json.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { text } from '../../ui/text.ts';
import styles from './bulk.module.css';
import { emptyRow, type OperationKind, type OperationRow } from './operation-rows.ts';
import { valuesAt, type Sample } from './sample.ts';
import { excerptOf } from '../../../core/app/excerpt.ts';
import { formatCount } from '../../ui/format.ts';
import { useMemo } from 'react';
import { listFixOptions } from '../../../core/fhir/fixes/offers.ts';
import { zoneOf } from '../../platform/zone.ts';
import { localDay } from '../../ui/time.ts';

interface OperationFieldsProps {
  readonly rows: readonly OperationRow[];
  readonly onChange: (rows: readonly OperationRow[]) => void;
  /** Returns where and why an expression can't be parsed. */
  readonly faultOf: (expression: string) => string | undefined;
  /** First records; undefined until loaded. */
  readonly sample: Sample | undefined;
}

const operationKinds = ['replace', 'compute', 'fix'] as const satisfies readonly OperationKind[];

/** Fixes that apply to many findings: fixes of many rules first, then fixes of single rules. */
const fixOptions = [
  ...Object.entries(wideFixes).map(([value, label]) => ({ value, label })),
  ...fixes.flatMap(({ rule, label }) => (label === undefined ? [] : [{ value: rule, label }])),
];

/** Editor of the operations: kind, path, condition and new value. */
export function OperationFields({ rows, onChange, faultOf, sample }: OperationFieldsProps) {
  const change = (row: OperationRow) =>
    onChange(rows.map((oldRow) => (oldRow.key === row.key ? row : oldRow)));
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
            data={operationKinds.map((value) => ({ value, label: text.bulk.kinds[value] }))}
            value={row.kind}
            onChange={({ currentTarget: { value } }) =>
              change({ ...row, kind: operationKinds.find((kind) => kind === value) ?? 'replace' })
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

/** Fields of one operation kind. */
function KindFields({ row, number, onChange, faultOf, sample }: KindFieldsProps) {
  if (row.kind === 'fix') {
    return (
      <>
        <NativeSelect
          className={styles.wide}
          label={text.bulk.fix(number)}
          data={[{ value: '', label: text.bulk.noFix }, ...fixOptions]}
          value={row.fix}
          onChange={({ currentTarget }) => onChange({ ...withoutWay(row), fix: currentTarget.value })}
        />
        <FixOptionField row={row} number={number} sample={sample} onChange={onChange} />
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

/** Removes the fix option, because another rule has other options. */
function withoutWay({ way: _, ...row }: OperationRow): OperationRow {
  return row;
}

type LineProps = TextInputProps & { readonly value: string };

function ValueInput(props: LineProps) {
  const parsed = parseTyped(props.value);
  return (
    <div>
      <TextInput {...props} error={parsed.kind === 'broken' ? parsed.message : undefined} />
      {parsed.kind === 'text' && <p className={styles.asText}>{text.bulk.asString(parsed.source)}</p>}
    </div>
  );
}

/** Summary of the operations that are tried or sent. */
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
    return <span>{text.bulk.fixLine(words)}</span>;
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

const maxVisible = 12;
const excerptLength = 40;

interface OperationValuesProps {
  readonly sample: Sample;
  readonly path: string;
  /** Text of the condition field. */
  readonly now: string;
  readonly onNow: (now: string) => void;
}

/** Values at a path in the first records with their counts. Each can be selected as the condition. */
function OperationValues({ sample, path, now, onNow }: OperationValuesProps) {
  const values = valuesAt(sample, path.trim());
  const { records, isComplete } = sample;
  if (path.trim() === '' || records.length === 0) return null;
  const condition = parseTyped(now);
  if (values.length === 0)
    return <p className={styles.values}>{text.bulk.noValues(records.length, isComplete)}</p>;
  const label = text.bulk.values(records.length, isComplete);
  return (
    <div className={styles.values} role="group" aria-label={label}>
      <span>{label}</span>
      {values.slice(0, maxVisible).map(({ value, node, count }) => {
        const isSelected = 'source' in condition && condition.source === value;
        return (
          <button
            key={value}
            type="button"
            title={value}
            aria-pressed={isSelected}
            onClick={() => onNow(isSelected ? '' : value)}
          >
            {excerptOf(node, excerptLength)} <span>{formatCount(count)}</span>
          </button>
        );
      })}
      {values.length > maxVisible && <span>{text.bulk.moreValues(values.length - maxVisible)}</span>}
    </div>
  );
}

/** Maximum number of records to examine: each is validated once per option. */
const maxExamined = 20;

interface WayFieldProps {
  readonly row: OperationRow;
  readonly number: number;
  readonly sample: Sample | undefined;
  readonly onChange: (row: OperationRow) => void;
}

/** Selects one of several options of a fix that the first records offer. Renders nothing if there is no choice. */
function FixOptionField({ row, number, sample, onChange }: WayFieldProps) {
  const { way, ...rowWithoutOption } = row;
  const options = useMemo(() => {
    const records = (sample?.records ?? [])
      .slice(0, maxExamined)
      .map(({ target: { type }, root }) => ({ type, root }));
    return row.fix === '' ? [] : listFixOptions(records, row.fix, { today: localDay(), zoneOf });
  }, [sample, row.fix]);
  if (options.length === 0) return null;
  return (
    <NativeSelect
      className={styles.wide}
      label={text.bulk.way(number)}
      data={[
        { value: '', label: text.bulk.firstWay },
        ...options.map(({ id, words, findings }) => ({
          value: id,
          label: text.bulk.wayOf(words, findings),
        })),
      ]}
      value={way?.id ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const option = options.find(({ id }) => id === value);
        onChange({ ...rowWithoutOption, ...(option && { way: { id: option.id, words: option.words } }) });
      }}
    />
  );
}
