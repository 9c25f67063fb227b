import { Menu } from '@mantine/core';
import { IconBook2, IconInfoCircle, IconSettings, IconUser } from '@tabler/icons-react';
import { initialsOf } from '../../core/app/people.ts';
import { useRunCommand } from '../platform/commands.ts';
import { nobody, usePeople, usePerson, useCurrentPerson } from '../platform/people.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { text } from '../ui/text.ts';
import styles from './app.module.css';

/** Button with the initials of the current person; its menu has the other people, Settings, Guide and About. */
export function PersonMenu() {
  const run = useRunCommand();
  const people = usePeople().data?.people ?? [];
  const person = usePerson();
  const { value, choose } = useCurrentPerson();
  const hint = person ? text.people.you(person.name) : text.people.nobody;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <IconButton
          label={person ? text.people.youByInitials(initialsOf(person.name), person.name) : hint}
          hint={hint}
          className={styles.person ?? ''}
          data-named={person && true}
        >
          {person ? <span aria-hidden>{initialsOf(person.name)}</span> : <IconUser size={16} />}
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.people.menu}</Menu.Label>
        <Menu.RadioGroup value={value} onChange={choose}>
          {people.map((listedPerson) => (
            <Menu.RadioItem key={listedPerson.id} value={listedPerson.id}>
              {listedPerson.name}
            </Menu.RadioItem>
          ))}
          <Menu.RadioItem value={nobody}>{text.people.none}</Menu.RadioItem>
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} onClick={() => run('app.settings')}>
          {text.people.settings}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook2 size={16} aria-hidden />} onClick={() => run('app.guide')}>
          {text.people.guide}
        </Menu.Item>
        <Menu.Item leftSection={<IconInfoCircle size={16} aria-hidden />} onClick={() => run('app.about')}>
          {text.people.about}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
