import { NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { findingStates } from '../../../core/app/findings.ts';
import { groupings, readFilter, type Grouping, type QualityFilter } from '../../../core/app/quality.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { useConnection } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';

interface RuleFilterProps {
  readonly filter: Omit<QualityFilter, 'rule'>;
  readonly groupBy: Grouping | undefined;
  readonly onChange: (filter: Omit<QualityFilter, 'rule'>) => void;
  readonly onGroup: (groupBy: Grouping | undefined) => void;
}

/** Findings are always listed by rule on the left. */
const visibleGroupings = groupings.filter((grouping) => grouping !== 'rule');

interface Choice {
  readonly part: 'severity' | 'type' | 'state';
  readonly label: string;
  readonly data: readonly (string | { readonly value: string; readonly label: string })[];
}

const choices: readonly Choice[] = [
  {
    part: 'severity',
    label: text.quality.severity,
    data: [
      { value: '', label: text.quality.anySeverity },
      { value: 'error', label: text.quality.errors },
      { value: 'warning', label: text.quality.warnings },
    ],
  },
  {
    part: 'type',
    label: text.quality.type,
    data: [{ value: '', label: text.quality.anyType }, ...resourceTypes],
  },
  {
    part: 'state',
    label: text.quality.states.filter,
    data: [
      { value: '', label: text.quality.states.any },
      ...findingStates.map((value) => ({ value, label: text.quality.states.names[value] })),
    ],
  },
];

/** Pause in typing before a request is sent, in milliseconds. */
const searchDelayMs = 250;

/** Filters rules and findings by severity, type and text. */
export function RuleFilter({ filter, groupBy, onChange, onGroup }: RuleFilterProps) {
  const { remote } = useConnection();
  const [searchText, setSearchText] = useState(filter.text ?? '');
  /** An empty part removes the filter. */
  const change = (part: Partial<Record<'text' | Choice['part'], string>>) =>
    onChange(
      readFilter(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== '')) ?? filter,
    );
  const search = useDebouncedCallback((value: string) => {
    change({ text: value.trim() });
  }, searchDelayMs);
  // Findings of other servers have no state.
  const visibleChoices = choices.filter(({ part }) => !remote || part !== 'state');
  return (
    <div className={styles.filter} role="search" aria-label={text.quality.filter}>
      {visibleChoices.map(({ part, label, data }) => (
        <NativeSelect
          key={part}
          aria-label={label}
          value={filter[part] ?? ''}
          data={[...data]}
          onChange={({ currentTarget: { value } }) => change({ [part]: value })}
        />
      ))}
      {!remote && (
        <NativeSelect
          aria-label={text.quality.groups.name}
          value={groupBy ?? ''}
          data={[
            { value: '', label: text.quality.groups.no },
            ...visibleGroupings.map((value) => ({ value, label: text.quality.groups.named(value) })),
          ]}
          onChange={({ currentTarget }) =>
            onGroup(groupings.find((grouping) => grouping === currentTarget.value))
          }
        />
      )}
      <TextInput
        className={styles.filterText ?? ''}
        aria-label={text.quality.text}
        placeholder={text.quality.text}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={searchText}
        onChange={({ currentTarget }) => {
          setSearchText(currentTarget.value);
          search(currentTarget.value);
        }}
      />
    </div>
  );
}
