import { ActionIcon, Button, Checkbox, Radio, TextInput } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { maxNameLength } from '../../../core/app/authorship.ts';
import { type Person } from '../../../core/app/people.ts';
import { nobody, usePeople, usePeopleChanges, useCurrentPerson } from '../../platform/people.ts';
import { usePreference } from '../../platform/preferences.ts';
import { toFailure } from '../../ui/failure.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { isEnter } from '../../ui/enter.ts';
import { text } from '../../ui/text.ts';
import styles from './settings.module.css';

const messages = text.people;

/** People of this server, the current person, and whether a change needs a reason. */
export function PeopleSection() {
  const people = usePeople();
  const { data } = people;
  const { value, choose } = useCurrentPerson();
  const [demand, setDemand] = usePreference('demandReason');
  return (
    <>
      <p className={styles.detail}>{messages.writes('owner')}</p>
      <RequestFailure title={messages.unreadable} query={people} />
      {data && data.people.length > 0 && (
        <Radio.Group aria-label={messages.choose} value={value} onChange={choose}>
          <ul className={styles.people}>
            {data.people.map((person) => (
              <PersonLine key={person.id} person={person} />
            ))}
            <li>
              <Radio size="xs" value={nobody} label={messages.none} />
            </li>
          </ul>
        </Radio.Group>
      )}
      <NewPerson />
      <label className={styles.row}>
        <span>
          {messages.demand}
          <span className={styles.detail}>{messages.demandDetail}</span>
        </span>
        <Checkbox
          size="xs"
          aria-label={messages.demand}
          checked={demand}
          onChange={({ currentTarget: { checked } }) => setDemand(checked)}
        />
      </label>
    </>
  );
}

function PersonLine({ person }: { readonly person: Person }) {
  const { id, name } = person;
  const { rename, remove } = usePeopleChanges();
  const announce = useAnnounce();
  const [isRenaming, setIsRenaming] = useState(false);
  if (isRenaming) return <NameField person={person} rename={rename} onEnd={() => setIsRenaming(false)} />;
  return (
    <li>
      <Radio size="xs" value={id} label={name} />
      <ActionIcon aria-label={messages.rename(name)} onClick={() => setIsRenaming(true)}>
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon
        aria-label={messages.remove(name)}
        onClick={() =>
          remove.mutate(person, {
            onSuccess: () => announce(messages.removed(name)),
            onError: () => announce(messages.unkept),
          })
        }
      >
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  );
}

interface NameFieldProps {
  readonly person: Person;
  readonly rename: ReturnType<typeof usePeopleChanges>['rename'];
  readonly onEnd: () => void;
}

function NameField({ person: { id, name }, rename, onEnd }: NameFieldProps) {
  const announce = useAnnounce();
  const [draft, setDraft] = useState(name);
  const save = () => {
    if (rename.isPending) return;
    const trimmedName = draft.trim();
    if (trimmedName === '' || trimmedName === name) {
      onEnd();
      return;
    }
    const onSuccess = () => {
      onEnd();
      announce(messages.renamed(trimmedName));
    };
    rename.mutate({ id, name: trimmedName }, { onSuccess });
  };
  return (
    <li>
      <TextInput
        size="xs"
        autoFocus
        aria-label={messages.nameOf(name)}
        value={draft}
        maxLength={maxNameLength}
        error={rename.isError && toFailure(rename.error).sentences.join(' ')}
        onChange={({ currentTarget: { value } }) => setDraft(value)}
        onKeyDown={(event) => {
          if (isEnter(event)) save();
          if (event.key === 'Escape') onEnd();
        }}
      />
      <Button size="xs" onClick={save}>
        {messages.keep}
      </Button>
    </li>
  );
}

function NewPerson() {
  const { add } = usePeopleChanges();
  const announce = useAnnounce();
  const [name, setName] = useState('');
  const addPerson = () => {
    const trimmedName = name.trim();
    if (trimmedName === '' || add.isPending) return;
    add.mutate(trimmedName, {
      onSuccess: () => {
        setName('');
        announce(messages.added(trimmedName));
      },
    });
  };
  return (
    <div className={styles.newPerson}>
      <TextInput
        size="xs"
        aria-label={messages.newName}
        placeholder={messages.newName}
        value={name}
        maxLength={maxNameLength}
        error={add.isError && toFailure(add.error).sentences.join(' ')}
        onChange={({ currentTarget: { value } }) => setName(value)}
        onKeyDown={(event) => {
          if (isEnter(event)) addPerson();
        }}
      />
      <Button size="xs" disabled={name.trim() === ''} loading={add.isPending} onClick={addPerson}>
        {messages.add}
      </Button>
    </div>
  );
}
