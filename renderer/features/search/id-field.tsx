import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { Ref } from 'react';
import { text } from '../../ui/text.ts';
import styles from './search.module.css';

interface IdFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Whether the reference is searched in the form in which it stands here. */
  readonly exact: boolean;
  readonly faulty: boolean;
  /** Id of what the server said of it. */
  readonly outcome: string;
  readonly onChange: (value: string) => void;
  readonly onExact: (exact: boolean) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** A field for an id, or a reference in any form; its menu says whether that form counts. */
export function IdField({ id, label, value, exact, faulty, outcome, onChange, onExact, ref }: IdFieldProps) {
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        ref={ref}
        className={styles.id}
        placeholder={text.search.idHint}
        value={value}
        error={faulty}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={faulty ? outcome : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
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
                onChange={(chosen) => onExact(chosen === 'exact')}
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
