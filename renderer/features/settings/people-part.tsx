import { ActionIcon, Button, Checkbox, Radio, TextInput } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { mostName } from '../../../core/app/authorship.ts';
import { type Person } from '../../../core/app/people.ts';
import { nobody, usePeople, usePeopleChanges, useSeat } from '../../platform/people.ts';
import { usePreference } from '../../platform/preferences.ts';
import { toFailure } from '../../ui/failure.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { isEnter } from '../../ui/enter.ts';
import { text } from '../../ui/text.ts';
import styles from './settings.module.css';

const words = text.people;

/** Who works here, who of them is at the keyboard, and whether a change needs a reason. */
export function PeoplePart() {
  const people = usePeople();
  const { data } = people;
  const { value, choose } = useSeat();
  const [demand, setDemand] = usePreference('demandReason');
  return (
    <>
      <p className={styles.detail}>{words.writes('owner')}</p>
      <RequestFailure title={words.unreadable} of={people} />
      {data && data.people.length > 0 && (
        <Radio.Group aria-label={words.choose} value={value} onChange={choose}>
          <ul className={styles.people}>
            {data.people.map((one) => (
              <PersonLine key={one.id} person={one} />
            ))}
            <li>
              <Radio size="xs" value={nobody} label={words.none} />
            </li>
          </ul>
        </Radio.Group>
      )}
      <NewPerson />
      <label className={styles.row}>
        <span>
          {words.demand}
          <span className={styles.detail}>{words.demandDetail}</span>
        </span>
        <Checkbox
          size="xs"
          aria-label={words.demand}
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
  const [renames, setRenames] = useState(false);
  if (renames) return <NameField person={person} rename={rename} onEnd={() => setRenames(false)} />;
  return (
    <li>
      <Radio size="xs" value={id} label={name} />
      <ActionIcon aria-label={words.rename(name)} onClick={() => setRenames(true)}>
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon
        aria-label={words.remove(name)}
        onClick={() =>
          remove.mutate(person, {
            onSuccess: () => announce(words.removed(name)),
            onError: () => announce(words.unkept),
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
  const keep = () => {
    if (rename.isPending) return;
    const chosen = draft.trim();
    if (chosen === '' || chosen === name) {
      onEnd();
      return;
    }
    const onSuccess = () => {
      onEnd();
      announce(words.renamed(chosen));
    };
    rename.mutate({ id, name: chosen }, { onSuccess });
  };
  return (
    <li>
      <TextInput
        size="xs"
        autoFocus
        aria-label={words.nameOf(name)}
        value={draft}
        maxLength={mostName}
        error={rename.isError && toFailure(rename.error).sentences.join(' ')}
        onChange={({ currentTarget: { value } }) => setDraft(value)}
        onKeyDown={(event) => {
          if (isEnter(event)) keep();
          if (event.key === 'Escape') onEnd();
        }}
      />
      <Button size="xs" onClick={keep}>
        {words.keep}
      </Button>
    </li>
  );
}

function NewPerson() {
  const { add } = usePeopleChanges();
  const announce = useAnnounce();
  const [name, setName] = useState('');
  const take = () => {
    const chosen = name.trim();
    if (chosen === '' || add.isPending) return;
    add.mutate(chosen, {
      onSuccess: () => {
        setName('');
        announce(words.added(chosen));
      },
    });
  };
  return (
    <div className={styles.newPerson}>
      <TextInput
        size="xs"
        aria-label={words.newName}
        placeholder={words.newName}
        value={name}
        maxLength={mostName}
        error={add.isError && toFailure(add.error).sentences.join(' ')}
        onChange={({ currentTarget: { value } }) => setName(value)}
        onKeyDown={(event) => {
          if (isEnter(event)) take();
        }}
      />
      <Button size="xs" disabled={name.trim() === ''} loading={add.isPending} onClick={take}>
        {words.add}
      </Button>
    </div>
  );
}
