import { Button, NativeSelect, ActionIcon, Menu, TextInput, Popover } from '@mantine/core';
import {
  IconPlus,
  IconSearch,
  IconChevronDown,
  IconArrowLeft,
  IconArrowRight,
  IconTerminal2,
  IconBookmarkPlus,
} from '@tabler/icons-react';
import { useEffect, useRef, useState, type RefObject, type Ref } from 'react';
import { isResourceType, resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { hasEncounter, sameSearch, queryOf } from './criteria.ts';
import { firstParameter } from './parameter-fields.ts';
import { ParameterRow } from './parameter-row.tsx';
import { problemFields } from './problem-fields.ts';
import styles from './search.module.css';
import frame from '../../ui/view.module.css';
import { outcomeOf, type Search } from './use-search.ts';
import { curlOf } from '../../../core/api/curl.ts';
import { formatQuery } from '../../../core/api/query.ts';
import { searchLimits, type SearchQuery } from '../../../core/app/searches.ts';
import { useConnection } from '../../platform/connection.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useCopy } from '../../ui/use-copy.ts';
import { isEnter } from '../../ui/enter.ts';
import { toFailure } from '../../ui/failure.ts';
import { describe } from './describe.ts';
import { useSavedSearchChanges } from './saved-searches.ts';

interface SearchFormProps {
  readonly search: Search;
  /** Field that `Find records` focuses. */
  readonly patientField: RefObject<HTMLInputElement | null>;
}

/** Search form: type, patient, encounter and Search in a row, further parameters below. */
export function SearchForm({ search, patientField }: SearchFormProps) {
  const { form } = search.state;
  const addButton = useRef<HTMLButtonElement>(null);
  const [fresh, setFresh] = useState<number>();
  useEffect(() => {
    document.documentElement.dataset.ready = 'true';
  }, []);
  const faulty = listFaultyParameters(search);
  return (
    <form
      className={`${frame.bar} ${styles.form}`}
      role="search"
      aria-label={text.search.form}
      onSubmit={(event) => {
        event.preventDefault();
        search.submit(form);
      }}
    >
      <SearchStart search={search} />
      <MainFields search={search} patientField={patientField} faulty={faulty} />
      <Button
        ref={addButton}
        className={styles.add}
        title={text.parameter.addHint}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => {
          search.dispatch({ type: 'parameterAdded', name: firstParameter(form.type) });
          setFresh(form.parameters.length);
        }}
      >
        {text.parameter.add}
      </Button>
      <Button type="submit" variant="filled" leftSection={<IconSearch size={14} aria-hidden />}>
        {text.search.submit}
      </Button>
      <SearchEnd search={search} />
      <ParameterRows
        search={search}
        faulty={faulty}
        fresh={fresh}
        onRemoved={() => {
          setFresh(undefined);
          addButton.current?.focus();
        }}
      />
    </form>
  );
}

/** Returns the rejected parameters while the form still matches the rejected search. */
function listFaultyParameters({ query, state: { submittedCriteria, form } }: Search): ReadonlySet<string> {
  return problemFields(submittedCriteria && sameSearch(submittedCriteria, form) ? query.error : undefined);
}

interface MainFieldsProps extends SearchFormProps {
  readonly faulty: ReadonlySet<string>;
}

function MainFields({ search, patientField, faulty }: MainFieldsProps) {
  const { id, state } = search;
  const { form } = state;
  return (
    <>
      <label htmlFor={`${id}-type`} className={styles.typeLabel}>
        {text.search.type}
      </label>
      <NativeSelect
        id={`${id}-type`}
        className={styles.type}
        data={[...resourceTypes]}
        value={form.type}
        onChange={({ currentTarget: { value } }) => {
          if (isResourceType(value)) search.dispatch({ type: 'changed', form: { type: value } });
        }}
      />
      <IdField
        search={search}
        field="patient"
        faulty={faulty.has('subject') || faulty.has('patient')}
        ref={patientField}
      />
      {hasEncounter(form.type) && (
        <IdField search={search} field="encounter" faulty={faulty.has('encounter')} />
      )}
    </>
  );
}

interface ParameterRowsProps extends Pick<MainFieldsProps, 'search' | 'faulty'> {
  /** Index of the row that was just added. */
  readonly fresh: number | undefined;
  readonly onRemoved: () => void;
}

function ParameterRows({ search, faulty, fresh, onRemoved }: ParameterRowsProps) {
  const { type, parameters } = search.state.form;
  if (parameters.length === 0) return null;
  return (
    <div className={styles.parameters}>
      {parameters.map((parameter, index) => (
        <ParameterRow
          // Keyed by index, because the name of a parameter changes within its row.
          key={index}
          type={type}
          parameter={parameter}
          position={index + 1}
          faulty={faulty.has(parameter.name)}
          outcome={outcomeOf(search)}
          fresh={index === fresh}
          onChange={(change) => search.dispatch({ type: 'parameterChanged', index, change })}
          onRemove={() => {
            search.dispatch({ type: 'parameterRemoved', index });
            onRemoved();
          }}
        />
      ))}
    </div>
  );
}

/** Criteria that search a reference in its exact form. */
const exactOf = { patient: 'exactPatient', encounter: 'exactEncounter' } as const;

interface IdFieldProps {
  readonly search: Search;
  readonly field: keyof typeof exactOf;
  readonly faulty: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Field for an ID or a reference. Its menu selects if the exact form counts. */
function IdField({ search, field, faulty, ref }: IdFieldProps) {
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

/** Steps through the searches of this window. */
function SearchStart({ search }: { readonly search: Search }) {
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
function SearchEnd({ search }: { readonly search: Search }) {
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
