import { Button, NativeSelect, ActionIcon, Menu, TextInput } from '@mantine/core';
import { IconPlus, IconSearch, IconChevronDown } from '@tabler/icons-react';
import { useEffect, useRef, useState, type RefObject, type Ref } from 'react';
import { isResourceType, resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { hasEncounter, sameSearch } from './criteria.ts';
import { firstParameter } from './parameter-fields.ts';
import { ParameterRow } from './parameter-row.tsx';
import { problemFields } from './problem-fields.ts';
import { SearchStart, SearchEnd } from './search-tools.tsx';
import styles from './search.module.css';
import frame from '../../ui/view.module.css';
import { outcomeOf, type Search } from './use-search.ts';

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
