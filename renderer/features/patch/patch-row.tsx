import { IconArrowNarrowRight, IconBraces, IconForms, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { expressionAt, pointerOfPath } from '../../../core/fhir/validation/finding.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { formatNode, serializeNode } from '../../../core/json/node.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { text } from '../../ui/text.ts';
import type { PatchRow, RowView } from './patch-rows.ts';
import { controlOf } from './patch-value.ts';
import styles from './patch.module.css';
import { NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { comboboxAria, listKeys, stepIn, Suggestions } from '../../ui/suggestions.tsx';
import { suggestPaths } from './patch-paths.ts';

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

interface ValueFieldProps {
  readonly label: string;
  readonly view: RowView;
  /** JSON text, or plain text in a free field. */
  readonly value: string;
  readonly describedBy: string;
  readonly onChange: (value: string) => void;
}

interface FieldChange {
  readonly currentTarget: { readonly value: string };
}

/** Field for the new value with the control of its element type. All controls except `free` produce JSON text. */
function ValueField({ label, view, value, describedBy, onChange }: ValueFieldProps) {
  const { control, element, problem } = view;
  const common = {
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': problem !== undefined,
    'data-value-field': true,
    error: problem !== undefined && view.parsed.kind !== 'empty',
  };
  const asWritten = { value, onChange: ({ currentTarget }: FieldChange) => onChange(currentTarget.value) };
  const asString = {
    value: readString(view),
    onChange: ({ currentTarget: { value: input } }: FieldChange) =>
      onChange(input === '' ? '' : JSON.stringify(input)),
  };
  const line = { ...common, classNames: { input: 'mono' }, autoComplete: 'off' };
  const area = { ...common, autosize: true, minRows: 1 };
  switch (control) {
    case 'codes':
      return <NativeSelect {...common} {...asString} data={listCodes(view)} />;
    case 'boolean':
      return (
        <SegmentedControl
          aria-label={label}
          size="xs"
          value={value.trim()}
          onChange={onChange}
          data={['true', 'false']}
        />
      );
    case 'date': {
      const hint = text.patch.dateHints[dateTypeOf(element?.type)];
      return <TextInput {...line} {...asString} placeholder={hint} spellCheck={false} />;
    }
    case 'number':
      return <TextInput {...line} {...asWritten} placeholder={text.patch.numberHint} inputMode="decimal" />;
    case 'text':
      return <Textarea {...area} {...asString} classNames={{ input: styles.value ?? '' }} maxRows={8} />;
    case 'json':
    case 'free':
      return (
        <Textarea
          {...area}
          {...asWritten}
          placeholder={control === 'json' ? text.patch.jsonHint : text.patch.valueHint}
          classNames={{ input: `mono ${styles.value}` }}
          minRows={control === 'json' ? 3 : 1}
          maxRows={12}
          spellCheck={false}
        />
      );
  }
}

/** Returns the codes of the element. A current value outside the list is included. */
function listCodes(view: RowView) {
  const codes = view.element?.codes ?? [];
  const code = readString(view);
  return [
    { value: '', label: text.patch.chooseCode },
    ...(code !== '' && !codes.includes(code) ? [{ value: code, label: text.patch.notAllowed(code) }] : []),
    ...codes.map((allowedCode) => ({ value: allowedCode, label: allowedCode })),
  ];
}

function readString({ parsed }: RowView): string {
  return parsed.kind === 'json' && parsed.node.kind === 'string' ? parsed.node.value : '';
}

function dateTypeOf(type: string | undefined): 'date' | 'dateTime' | 'instant' {
  return type === 'date' || type === 'instant' ? type : 'dateTime';
}

interface PathFieldProps {
  readonly label: string;
  readonly value: string;
  readonly type: ResourceType;
  readonly paths: readonly string[];
  readonly autoFocus: boolean;
  readonly onChange: (path: string) => void;
}

/** State of the field: the typed text in the notation of the user, and the suggestion list. */
interface FieldState {
  readonly open: boolean;
  readonly selectedIndex: number;
  readonly typedText?: string | undefined;
}

const initialState: FieldState = { open: false, selectedIndex: -1 };

/**
 * Text field for the path of an element in any notation. Suggests paths of the open record: arrow keys select, Enter
 * accepts, Escape hides. Shows the JSON Pointer of the request after it loses focus.
 */
function PathField({ label, value, type, paths, autoFocus, onChange }: PathFieldProps) {
  const listId = useId();
  // The value is always a JSON Pointer.
  const [{ open, selectedIndex, typedText }, setState] = useState(initialState);
  const change = (part: Partial<FieldState>) => setState((previous) => ({ ...previous, ...part }));
  const input = typedText ?? value;
  const suggestions = open ? suggestPaths(paths, input, type) : [];

  function acceptSuggestion(index: number) {
    const path = suggestions[index];
    if (path === undefined) return;
    onChange(path);
    setState(initialState);
  }

  function step(delta: 1 | -1) {
    const { length } = suggestPaths(paths, input, type);
    setState((previous) => ({
      ...previous,
      open: true,
      selectedIndex: stepIn(length, previous.selectedIndex, delta),
    }));
  }

  return (
    <Suggestions
      id={listId}
      label={text.patch.suggestions}
      suggestions={suggestions.map((path) => ({
        label: path,
        note: expressionAt(type, parsePointer(path) ?? []),
      }))}
      selectedIndex={selectedIndex}
      onTake={acceptSuggestion}
    >
      <TextInput
        aria-label={label}
        {...comboboxAria(listId, suggestions.length, selectedIndex)}
        placeholder={text.patch.pathHint}
        classNames={{ input: 'mono' }}
        data-autofocus={autoFocus || undefined}
        spellCheck={false}
        autoComplete="off"
        value={input}
        onChange={({ currentTarget }) => {
          const path = pointerOfPath(currentTarget.value, type);
          onChange(path);
          // A complete path needs no suggestions: the list would cover the next row.
          setState({ open: !paths.includes(path), selectedIndex: -1, typedText: currentTarget.value });
        }}
        onClick={() => change({ open: true })}
        onBlur={() => change({ open: false, typedText: undefined })}
        onKeyDown={listKeys({
          count: suggestions.length,
          selectedIndex,
          onStep: step,
          onTake: acceptSuggestion,
          onHide: () => change({ open: false }),
        })}
      />
    </Suggestions>
  );
}
