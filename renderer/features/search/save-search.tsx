import { Button, Popover, TextInput } from '@mantine/core';
import { IconBookmarkPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { searchLimits, type SearchQuery } from '../../../core/app/searches.ts';
import { isEnter } from '../../ui/enter.ts';
import { toFailure } from '../../ui/failure.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { text } from '../../ui/text.ts';
import { describe } from './describe.ts';
import { useSavedSearchChanges } from './kept-searches.ts';
import styles from './search.module.css';

/** Gives the search of the form a name and keeps it. */
export function SaveSearch({ search }: { readonly search: SearchQuery }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus position="bottom-end" shadow="sm">
      <Popover.Target>
        <IconButton
          label={text.saved.save}
          hint={text.saved.saveHint}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <IconBookmarkPlus size={16} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={text.saved.save}>
        {opened && <NameForm search={search} onDone={() => setOpened(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function NameForm({ search, onDone }: { readonly search: SearchQuery; readonly onDone: () => void }) {
  const [name, setName] = useState('');
  const { save } = useSavedSearchChanges();
  const wanted = name.trim();

  function store() {
    if (wanted !== '' && !save.isPending) save.mutate({ name: wanted, query: search }, { onSuccess: onDone });
  }

  return (
    // No form of its own: it would stand inside the search's.
    <div className={styles.naming}>
      <p>{describe(search)}</p>
      <TextInput
        label={text.saved.name}
        data-autofocus
        value={name}
        maxLength={searchLimits.name}
        autoComplete="off"
        error={save.isError ? toFailure(save.error).sentences.join(' ') : undefined}
        onChange={({ currentTarget: { value } }) => setName(value)}
        onKeyDown={(event) => {
          if (!isEnter(event)) return;
          event.preventDefault();
          store();
        }}
      />
      <Button variant="filled" disabled={wanted === ''} loading={save.isPending} onClick={store}>
        {text.saved.save}
      </Button>
    </div>
  );
}
