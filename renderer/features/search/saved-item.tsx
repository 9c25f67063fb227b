import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { IconBookmark, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { searchLimits, type SavedSearch, type SearchQuery } from '../../../core/app/searches.ts';
import { isEnter } from '../../ui/enter.ts';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import { describe } from './describe.ts';
import { useSavedSearchChanges } from './saved-searches.ts';
import styles from './search.module.css';

interface SavedItemProps {
  readonly search: SavedSearch;
  readonly onSearch: (search: SearchQuery) => void;
}

/** A saved search in the left panel. Runs, renames and removes the search. */
export function SavedItem({ search, onSearch }: SavedItemProps) {
  const [isRenaming, setRenaming] = useState(false);
  const { remove } = useSavedSearchChanges();
  if (isRenaming) {
    return (
      <li className={styles.keptItem}>
        <NewName search={search} onDone={() => setRenaming(false)} />
      </li>
    );
  }
  return (
    <li className={styles.keptItem}>
      <SavedButton search={search} onSearch={onSearch} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={24} aria-label={text.saved.actions(search.name)}>
            <IconDots size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setRenaming(true)}>
            {text.saved.rename}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={14} />} onClick={() => remove.mutate(search)}>
            {text.saved.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}

/** Button that runs a saved search. */
export function SavedButton({ search, onSearch }: SavedItemProps) {
  return (
    <button
      type="button"
      className={styles.keptButton}
      title={describe(search)}
      onClick={() => onSearch({ type: search.type, pairs: search.pairs })}
    >
      <IconBookmark size={14} aria-hidden />
      <span>{search.name}</span>
    </button>
  );
}

function NewName({ search, onDone }: { readonly search: SavedSearch; readonly onDone: () => void }) {
  const [name, setName] = useState(search.name);
  const { rename } = useSavedSearchChanges();
  const trimmedName = name.trim();

  function store() {
    if (rename.isPending) return;
    if (trimmedName === '' || trimmedName === search.name) onDone();
    else rename.mutate({ id: search.id, name: trimmedName }, { onSuccess: onDone });
  }

  return (
    <TextInput
      className={styles.newName}
      aria-label={text.saved.newName(search.name)}
      autoFocus
      value={name}
      maxLength={searchLimits.name}
      autoComplete="off"
      error={rename.isError ? toFailure(rename.error).sentences.join(' ') : undefined}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget: { value } }) => setName(value)}
      onBlur={() => {
        if (!rename.isError) store();
      }}
      onKeyDown={(event) => {
        if (isEnter(event)) store();
        if (event.key === 'Escape') onDone();
      }}
    />
  );
}
