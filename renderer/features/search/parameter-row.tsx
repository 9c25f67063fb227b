import { NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, useMemo } from 'react';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { formatList } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import { comparisonWord, orderWord } from './describe.ts';
import {
  comparisonsOf,
  controlOf,
  furtherParameters,
  hintOf,
  type Parameter,
  type ValueControl,
} from './parameter-fields.ts';
import styles from './search.module.css';
import { useQuery } from '@tanstack/react-query';
import { listSupportedParameters } from '../../../core/api/offered-parameters.ts';
import { useConnection } from '../../platform/connection.ts';

interface ParameterRowProps {
  readonly type: ResourceType;
  readonly parameter: Parameter;
  readonly position: number;
  /** True if the server reported a problem with the parameter. */
  readonly faulty: boolean;
  /** ID of the element with the error message of the server. */
  readonly outcome: string;
  /** True if the row was just added. */
  readonly fresh: boolean;
  readonly onChange: (change: Partial<Parameter>) => void;
  readonly onRemove: () => void;
}

/** One further parameter: its name, its comparison and a control for its value. */
export function ParameterRow(props: ParameterRowProps) {
  const { type, parameter, position, faulty, outcome, fresh, onChange, onRemove } = props;
  const { name, comparison } = parameter;
  const { names, hintOf } = useSupportedParameters(type);
  const hint = hintOf(name);
  const comparisons = comparisonsOf(name);
  return (
    <div
      role="group"
      aria-label={text.parameter.group(position)}
      className={styles.parameter}
      data-faulty={faulty || undefined}
    >
      <NativeSelect
        className={styles.parameterName}
        aria-label={text.parameter.name}
        title={hint}
        data={names.includes(name) ? [...names] : [name, ...names]}
        value={name}
        onChange={({ currentTarget: { value } }) => onChange({ name: value })}
      />
      {comparisons.length > 1 ? (
        <NativeSelect
          className={styles.comparison}
          aria-label={text.parameter.comparison}
          data={comparisons.map((value) => ({ value, label: comparisonWord(name, value) }))}
          value={comparison}
          onChange={({ currentTarget: { value } }) => onChange({ comparison: value })}
        />
      ) : (
        <span className={styles.plainComparison}>{comparisonWord(name, '')}</span>
      )}
      <ValueField
        control={controlOf(type, parameter)}
        value={parameter.value}
        faulty={faulty}
        outcome={outcome}
        fresh={fresh}
        onChange={(value) => onChange({ value })}
      />
      <span className={styles.parameterHint} title={hint}>
        {hint}
      </span>
      <IconButton label={text.parameter.remove(name)} onClick={onRemove}>
        <IconX size={14} />
      </IconButton>
    </div>
  );
}

interface ValueFieldProps extends Pick<ParameterRowProps, 'faulty' | 'outcome' | 'fresh'> {
  readonly control: ValueControl;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ValueField({ control, value, faulty, outcome, fresh, onChange }: ValueFieldProps) {
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const { kind } = control;
  useEffect(() => {
    if (fresh) field.current?.focus();
  }, [fresh, kind]);

  const shared = {
    ref: field,
    className: styles.parameterValue,
    'aria-label': text.parameter.value,
    'aria-describedby': faulty ? outcome : undefined,
    error: faulty,
    value,
  };
  if (control.kind === 'choice') {
    const values = control.values.includes(value) ? control.values : [value, ...control.values];
    return (
      <NativeSelect
        {...shared}
        data={values.map((choice) => ({ value: choice, label: choiceWord(control.format, choice) }))}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      placeholder={text.parameter.hints[control.kind]}
      spellCheck={false}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function choiceWord(format: 'code' | 'flag' | 'order', value: string): string {
  switch (format) {
    case 'code':
      return value;
    case 'flag':
      return text.parameter.flags[value === 'false' ? 'false' : 'true'];
    case 'order':
      return formatList(value.split(',').map(orderWord), 'unit');
  }
}

/**
 * Returns the search parameters that the server supports for a type, with their descriptions. Defaults to the
 * parameters of this product.
 */
function useSupportedParameters(type: ResourceType) {
  const { client, remote, name } = useConnection();
  const { data } = useQuery({
    queryKey: ['offered', name, type],
    enabled: remote !== undefined,
    queryFn: async () => listSupportedParameters(await client.metadata(), type) ?? null,
    staleTime: Infinity,
  });
  return useMemo(() => {
    const parameters = data ?? undefined;
    return {
      names: furtherParameters(
        type,
        parameters?.map((supported) => supported.name),
      ),
      hintOf: (parameter: string): string =>
        parameters?.find((supported) => supported.name === parameter)?.documentation ??
        hintOf(type, parameter),
    };
  }, [type, data]);
}
