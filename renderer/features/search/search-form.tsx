import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { isResourceType, resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { hasEncounter, sameSearch, searchedWhole } from './criteria.ts';
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

/** One row: type, patient, encounter, Search; beneath it the further parameters. Says before sending what the service would refuse. */
export function SearchForm({ search, patientField }: SearchFormProps) {
  const { form, submitted, patientMissing } = search.state;
  const { parameters, query } = search;
  const addButton = useRef<HTMLButtonElement>(null);
  const [fresh, setFresh] = useState<number>();
  useEffect(() => {
    document.documentElement.dataset.ready = 'true';
  }, []);

  useEffect(() => {
    if (patientMissing) patientField.current?.focus();
  }, [patientMissing, patientField]);

  // What the outcome complains of, for as long as the form still says it.
  const faulty =
    query.isError && submitted && sameSearch(submitted, form)
      ? problemFields(query.error)
      : problemFields(undefined);
  const patientFaulty = patientMissing || faulty.has('subject') || faulty.has('patient');

  return (
    <form
      className={frame.bar}
      role="search"
      aria-label={text.search.form}
      onSubmit={(event) => {
        event.preventDefault();
        search.submit(form);
      }}
    >
      <SearchStart search={search} />
      <label htmlFor="search-type">{text.search.type}</label>
      <NativeSelect
        id="search-type"
        className={styles.type}
        data={[...resourceTypes]}
        value={form.type}
        onChange={({ currentTarget: { value } }) => {
          if (isResourceType(value)) search.change({ type: value });
        }}
      />
      <label htmlFor="search-patient">{text.search.patient}</label>
      <TextInput
        id="search-patient"
        ref={patientField}
        className={styles.id}
        placeholder={text.search.idHint}
        value={form.patient}
        error={patientFaulty}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={patientMissing ? 'search-problem' : patientFaulty ? 'search-outcome' : undefined}
        onChange={({ currentTarget: { value } }) => search.change({ patient: value })}
      />
      {hasEncounter(form.type) && (
        <>
          <label htmlFor="search-encounter">{text.search.encounter}</label>
          <TextInput
            id="search-encounter"
            className={styles.id}
            placeholder={text.search.idHint}
            value={form.encounter}
            error={faulty.has('encounter')}
            spellCheck={false}
            autoComplete="off"
            aria-describedby={faulty.has('encounter') ? 'search-outcome' : undefined}
            onChange={({ currentTarget: { value } }) => search.change({ encounter: value })}
          />
        </>
      )}
      <Button
        ref={addButton}
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
      {patientMissing && (
        <p id="search-problem" className={styles.problem} role="alert">
          {text.search.patientMissing(form.type, searchedWhole.join(', '))}
        </p>
      )}
    </form>
  );
}
