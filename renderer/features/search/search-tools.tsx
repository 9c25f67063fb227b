import { IconArrowLeft, IconArrowRight, IconTerminal2, IconBookmarkPlus } from '@tabler/icons-react';
import { curlOf } from '../../../core/api/curl.ts';
import { formatQuery } from '../../../core/api/query.ts';
import { searchLimits, type SearchQuery } from '../../../core/app/searches.ts';
import { useConnection } from '../../platform/connection.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { text } from '../../ui/text.ts';
import { queryOf } from './criteria.ts';
import styles from './search.module.css';
import { useCopy } from '../../ui/use-copy.ts';
import type { Search } from './use-search.ts';
import { Button, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isEnter } from '../../ui/enter.ts';
import { toFailure } from '../../ui/failure.ts';
import { describe } from './describe.ts';
import { useSavedSearchChanges } from './saved-searches.ts';

/** Steps through the searches of this window. */
export function SearchStart({ search }: { readonly search: Search }) {
  const { past, future } = search.state;
  return (
    <span className={styles.tools}>
      <IconButton
        label={text.search.back}
        hint={`${text.search.back} (Alt+←)`}
        disabled={past.length === 0}
        onClick={() => search.step(-1)}
      >
        <IconArrowLeft size={16} />
      </IconButton>
      <IconButton
        label={text.search.forward}
        hint={`${text.search.forward} (Alt+→)`}
        disabled={future.length === 0}
        onClick={() => search.step(1)}
      >
        <IconArrowRight size={16} />
      </IconButton>
    </span>
  );
}

/** Further actions for the search of the form. */
export function SearchEnd({ search }: { readonly search: Search }) {
  const copy = useCopy();
  const { fhirBase } = useConnection();
  const query = queryOf(search.state.form);
  return (
    <span className={styles.tools}>
      <SaveSearch search={query} />
      <IconButton
        label={text.rowMenu.copyCurl}
        onClick={() => copy(searchCurl(query, fhirBase), text.rowMenu.searchCopied)}
      >
        <IconTerminal2 size={16} />
      </IconButton>
    </span>
  );
}

function searchCurl({ type, pairs }: SearchQuery, fhirBase: string): string {
  const query = formatQuery(pairs);
  return curlOf({
    method: 'GET',
    url: `${fhirBase}/${type}` + (query === '' ? '' : `?${query}`),
    headers: { Accept: 'application/json' },
  });
}

/** Saves the search of the form under a name. */
function SaveSearch({ search }: { readonly search: SearchQuery }) {
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
