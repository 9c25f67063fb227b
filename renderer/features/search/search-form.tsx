import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, type RefObject } from 'react';
import { isResourceType, resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import styles from './search.module.css';
import type { Search } from './use-search.ts';

interface SearchFormProps {
  readonly search: Search;
  /** Where `Find records` puts the cursor. */
  readonly patientField: RefObject<HTMLInputElement | null>;
}

/** One row: type, patient, encounter, Search. Says before sending what the service would refuse. */
export function SearchForm({ search, patientField }: SearchFormProps) {
  const { form, patientMissing } = search.state;
  useEffect(() => {
    document.documentElement.dataset.ready = 'true';
  }, []);

  useEffect(() => {
    if (patientMissing) patientField.current?.focus();
  }, [patientMissing, patientField]);

  return (
    <form
      className={styles.form}
      role="search"
      aria-label={text.search.form}
      onSubmit={(event) => {
        event.preventDefault();
        search.submit(form);
      }}
    >
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
        error={patientMissing}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={patientMissing ? 'search-problem' : undefined}
        onChange={({ currentTarget: { value } }) => search.change({ patient: value })}
      />
      <label htmlFor="search-encounter">{text.search.encounter}</label>
      <TextInput
        id="search-encounter"
        className={styles.id}
        placeholder={text.search.idHint}
        value={form.encounter}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => search.change({ encounter: value })}
      />
      <Button type="submit" variant="filled" leftSection={<IconSearch size={14} aria-hidden />}>
        {text.search.submit}
      </Button>
      {patientMissing && (
        <p id="search-problem" className={styles.problem} role="alert">
          {text.search.patientMissing}
        </p>
      )}
    </form>
  );
}
