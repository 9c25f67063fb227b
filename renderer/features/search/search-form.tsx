import { Button, NativeSelect } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { isResourceType, resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { hasEncounter, sameSearch } from './criteria.ts';
import { IdField } from './id-field.tsx';
import { firstParameter } from './parameter-fields.ts';
import { ParameterRow } from './parameter-row.tsx';
import { problemFields } from './problem-fields.ts';
import { SearchStart, SearchEnd } from './search-tools.tsx';
import styles from './search.module.css';
import frame from '../../ui/view.module.css';
import type { Search } from './use-search.ts';

interface SearchFormProps {
  readonly search: Search;
  /** Where `Find records` puts the cursor. */
  readonly patientField: RefObject<HTMLInputElement | null>;
}

/** One row: type, patient, encounter, Search; beneath it the further parameters. */
export function SearchForm({ search, patientField }: SearchFormProps) {
  const { form, submitted } = search.state;
  const { id, parameters, query } = search;
  const outcome = `${id}-outcome`;
  const addButton = useRef<HTMLButtonElement>(null);
  const [fresh, setFresh] = useState<number>();
  useEffect(() => {
    document.documentElement.dataset.ready = 'true';
  }, []);

  // What the outcome complains of, for as long as the form still says it.
  const faulty =
    query.isError && submitted && sameSearch(submitted, form)
      ? problemFields(query.error)
      : problemFields(undefined);

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
      <label htmlFor={`${id}-type`} className={styles.typeLabel}>
        {text.search.type}
      </label>
      <NativeSelect
        id={`${id}-type`}
        className={styles.type}
        data={[...resourceTypes]}
        value={form.type}
        onChange={({ currentTarget: { value } }) => {
          if (isResourceType(value)) search.change({ type: value });
        }}
      />
      <IdField
        id={`${id}-patient`}
        outcome={outcome}
        ref={patientField}
        label={text.search.patient}
        value={form.patient}
        exact={form.exactPatient}
        faulty={faulty.has('subject') || faulty.has('patient')}
        onChange={(patient) => search.change({ patient })}
        onExact={(exactPatient) => search.change({ exactPatient })}
      />
      {hasEncounter(form.type) && (
        <IdField
          id={`${id}-encounter`}
          outcome={outcome}
          label={text.search.encounter}
          value={form.encounter}
          exact={form.exactEncounter}
          faulty={faulty.has('encounter')}
          onChange={(encounter) => search.change({ encounter })}
          onExact={(exactEncounter) => search.change({ exactEncounter })}
        />
      )}
      <Button
        ref={addButton}
        className={styles.add}
        title={text.parameter.addHint}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => {
          parameters.add(firstParameter(form.type));
          setFresh(form.more.length);
        }}
      >
        {text.parameter.add}
      </Button>
      <Button type="submit" variant="filled" leftSection={<IconSearch size={14} aria-hidden />}>
        {text.search.submit}
      </Button>
      <SearchEnd search={search} />
      {form.more.length > 0 && (
        <div className={styles.parameters}>
          {form.more.map((parameter, index) => (
            <ParameterRow
              // A row is its place: its name, too, is changed in it.
              key={index}
              type={form.type}
              parameter={parameter}
              position={index + 1}
              faulty={faulty.has(parameter.name)}
              outcome={outcome}
              fresh={index === fresh}
              onChange={(change) => parameters.change(index, change)}
              onRemove={() => {
                parameters.remove(index);
                setFresh(undefined);
                addButton.current?.focus();
              }}
            />
          ))}
        </div>
      )}
    </form>
  );
}
