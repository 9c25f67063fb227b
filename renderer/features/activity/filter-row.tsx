import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { activityKinds, activityMethods, statusClasses } from '../../../core/app/activity.ts';
import { periods } from '../../ui/log/log-facts.ts';
import { LogFilter, type LogChoice } from '../../ui/log/log-filter.tsx';
import { text } from '../../ui/text.ts';
import type { FilterForm } from './activity-state.ts';

const { filter: words, kinds } = text.activity;

const choices: readonly LogChoice<'method' | 'status' | 'kind' | 'period'>[] = [
  { id: 'kind', label: words.kind, data: activityKinds.map((value) => ({ value, label: kinds[value] })) },
  { id: 'method', label: words.method, data: activityMethods.map((value) => ({ value, label: value })) },
  {
    id: 'status',
    label: words.status,
    data: statusClasses.map((value) => ({ value, label: words.statuses[value] })),
  },
  { id: 'period', label: words.period, data: periods },
];

interface FilterRowProps {
  readonly form: FilterForm;
  readonly filtered: boolean;
  readonly clearable: boolean;
  readonly onChange: (form: Partial<FilterForm>) => void;
  readonly onReset: () => void;
  readonly onClear: () => void;
}

/** One row: text, kind, method, status, period; each counts at once. */
export function FilterRow({ clearable, onClear, ...filter }: FilterRowProps) {
  return (
    <LogFilter
      {...filter}
      name={words.name}
      textLabel={words.text}
      textHint={words.textHint}
      choices={choices}
    >
      <Button leftSection={<IconTrash size={14} aria-hidden />} disabled={!clearable} onClick={onClear}>
        {text.activity.clear}
      </Button>
    </LogFilter>
  );
}
