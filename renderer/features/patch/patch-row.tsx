import { IconArrowNarrowRight, IconBraces, IconForms, IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { expressionAt } from '../../../core/fhir/validation/finding.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { formatNode, serializeNode } from '../../../core/json/node.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { text } from '../../ui/text.ts';
import type { PatchRow, RowView } from './patch-rows.ts';
import { controlOf } from './patch-value.ts';
import { PathField } from './path-field.tsx';
import { ValueField } from './value-field.tsx';
import styles from './patch.module.css';

interface OperationRowProps {
  readonly row: PatchRow;
  readonly view: RowView;
  readonly index: number;
  readonly type: ResourceType;
  /** True if the record was read, so that current values are known. */
  readonly isRecordKnown: boolean;
  readonly paths: readonly string[];
  /** Issues of the server for this operation. */
  readonly issues: readonly string[];
  readonly removable: boolean;
  readonly onChange: (row: PatchRow) => void;
  readonly onFocus: () => void;
  readonly onRemove: () => void;
}

/** One replace operation: path, current value and new value. */
export function OperationRow(props: OperationRowProps) {
  const { row, view, index, type, isRecordKnown, paths, issues, onChange, onFocus } = props;
  const id = useId();
  const current = view.current && serializeNode(view.current);
  const tokens = parsePointer(row.path.trim()) ?? [];
  const problems = [...(view.problem === undefined ? [] : [view.problem]), ...issues];
  return (
    <div
      className={styles.row}
      role="group"
      aria-label={text.patch.operation(index + 1)}
      data-key={row.key}
      onFocusCapture={onFocus}
    >
      <div>
        <PathField
          label={text.patch.path(index)}
          value={row.path}
          type={type}
          paths={paths}
          autoFocus={index === 0}
          onChange={(path) => onChange({ ...row, path })}
        />
        {tokens.length > 0 && (
          <p className={styles.fhirName}>
            <span>{expressionAt(type, tokens)}</span>
            <span className={styles.typeName}>{formatType(view)}</span>
          </p>
        )}
      </div>
      <div className={styles.current} title={view.current && formatNode(view.current)}>
        {current ?? <span>{describeAbsence(row, isRecordKnown)}</span>}
      </div>
      <div>
        <ValueField
          label={text.patch.value(index)}
          view={view}
          value={row.value}
          describedBy={`${id}-problems`}
          onChange={(value) => onChange({ ...row, value })}
        />
        {view.parsed.kind === 'text' && (
          <p className={styles.asText}>{text.patch.asString(view.parsed.source)}</p>
        )}
      </div>
      <RowActions {...props} />
      <ul id={`${id}-problems`} className={styles.rowProblems} aria-live="polite">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  );
}

function formatType({ element }: RowView): string {
  if (!element) return text.patch.unknownType;
  const name = element.type.replace(/^.*_/, '');
  const bindingText = element.codes ? ` · ${text.patch.bound(element.codes.length)}` : '';
  return `${element.repeats ? text.patch.listOf(name) : name}${bindingText}`;
}

function describeAbsence({ path }: PatchRow, isRecordKnown: boolean): string {
  if (path.trim() === '') return '';
  return isRecordKnown ? text.patch.absent : text.patch.notRead;
}

function RowActions({ row, view, index, removable, onChange, onRemove }: OperationRowProps) {
  const { current, control } = view;
  const typeControl = controlOf(view.element, current);
  return (
    <div className={styles.rowActions}>
      <IconButton
        label={text.patch.takeCurrent(index + 1)}
        disabled={!current}
        onClick={() => current && onChange({ ...row, value: formatNode(current) })}
      >
        <IconArrowNarrowRight size={16} />
      </IconButton>
      <IconButton
        label={control === 'json' ? text.patch.asControl(index + 1) : text.patch.asJson(index + 1)}
        disabled={typeControl === 'json' || typeControl === 'free'}
        onClick={() => onChange({ ...row, asJson: row.asJson !== true })}
      >
        {control === 'json' && typeControl !== 'json' ? <IconForms size={16} /> : <IconBraces size={16} />}
      </IconButton>
      <IconButton label={text.patch.remove(index + 1)} disabled={!removable} onClick={onRemove}>
        <IconX size={16} />
      </IconButton>
    </div>
  );
}
