import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { Ref } from 'react';
import { text } from '../../ui/text.ts';
import styles from './search.module.css';
import { outcomeOf, type Search } from './use-search.ts';

/** Criteria that search a reference in its exact form. */
const exactOf = { patient: 'exactPatient', encounter: 'exactEncounter' } as const;

interface IdFieldProps {
  readonly search: Search;
  readonly field: keyof typeof exactOf;
  readonly faulty: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Field for an ID or a reference. Its menu selects if the exact form counts. */
export function IdField({ search, field, faulty, ref }: IdFieldProps) {
  const { form } = search.state;
  const id = `${search.id}-${field}`;
  const label = text.search[field];
  const exact = form[exactOf[field]];
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        ref={ref}
        className={styles.id}
        placeholder={text.search.idHint}
        value={form[field]}
        error={faulty}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={faulty ? outcomeOf(search) : undefined}
        onChange={({ currentTarget }) =>
          search.dispatch({ type: 'changed', form: { [field]: currentTarget.value } })
        }
        rightSectionWidth={24}
        rightSectionPointerEvents="all"
        rightSection={
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                size={24}
                aria-label={text.search.formMenu(label)}
                title={exact ? text.search.exactly : text.search.anyForm}
                data-exact={exact || undefined}
              >
                <IconChevronDown size={14} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.RadioGroup
                value={exact ? 'exact' : 'any'}
                onChange={(mode) =>
                  search.dispatch({ type: 'changed', form: { [exactOf[field]]: mode === 'exact' } })
                }
              >
                <Menu.RadioItem value="any">{text.search.anyForm}</Menu.RadioItem>
                <Menu.RadioItem value="exact">{text.search.exactly}</Menu.RadioItem>
              </Menu.RadioGroup>
            </Menu.Dropdown>
          </Menu>
        }
      />
    </>
  );
}
