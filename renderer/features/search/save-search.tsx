import { Button, Popover, TextInput } from '@mantine/core';
import { IconBookmarkPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { searchLimits, type SearchQuery } from '../../../core/app/searches.ts';
import { isEnter } from '../../ui/enter.ts';
import { toFailure } from '../../ui/failure.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { text } from '../../ui/text.ts';
import { describe } from './describe.ts';
import { useSavedSearchChanges } from './saved-searches.ts';
import styles from './search.module.css';

/** Saves the search of the form under a name. */
export function SaveSearch({ search }: { readonly search: SearchQuery }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="bottom-end" shadow="sm">
      <Popover.Target>
        <IconButton
          label={text.saved.save}
          hint={text.saved.saveHint}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconBookmarkPlus size={16} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={text.saved.save}>
        {isOpen && <NameForm search={search} onDone={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function NameForm({ search, onDone }: { readonly search: SearchQuery; readonly onDone: () => void }) {
  const [name, setName] = useState('');
  const { save } = useSavedSearchChanges();
  const trimmedName = name.trim();

  function store() {
    if (trimmedName !== '' && !save.isPending)
      save.mutate({ name: trimmedName, query: search }, { onSuccess: onDone });
  }

  return (
    // Not a form: nested forms are invalid HTML.
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
      <Button variant="filled" disabled={trimmedName === ''} loading={save.isPending} onClick={store}>
        {text.saved.save}
      </Button>
    </div>
  );
}
