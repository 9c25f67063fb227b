import { NativeSelect } from '@mantine/core';
import { useId } from 'react';
import type { PackageList } from '../../../core/app/packages.ts';
import { resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { canonicalOf, listAvailableProfiles, useProfileProgress } from '../../platform/packages.ts';
import { usePreference } from '../../platform/preferences.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';

const messages = text.packages.judgeBy;

/** Selects the profile that validates every record of a type. */
export function JudgeBy({ list }: { readonly list: PackageList }) {
  return (
    <section className={styles.section} aria-label={messages.heading}>
      <h3>{messages.heading}</h3>
      <p>{messages.what}</p>
      <div className={styles.choices}>
        {resourceTypes.map((type) => (
          <Choice key={type} type={type} list={list} />
        ))}
      </div>
      <Progress />
    </section>
  );
}

/** Progress of profile validation, with its result. */
function Progress() {
  const { data = [] } = useProfileProgress();
  if (data.length === 0) return null;
  return (
    <ul className={styles.progress} aria-label={messages.progress}>
      {data.map(({ type, done, total, applied, violated: violationCount }) => (
        <li key={type}>
          {done < total
            ? messages.checking(type, done / Math.max(1, total))
            : messages.checked(type, violationCount, applied)}
        </li>
      ))}
    </ul>
  );
}

function Choice({ type, list }: { readonly type: ResourceType; readonly list: PackageList }) {
  const id = useId();
  const announce = useAnnounce();
  const [profiles, setProfiles] = usePreference('profiles');
  const selectedProfile = profiles[type] ?? '';
  const options = listAvailableProfiles(list)
    .filter((offer) => offer.type === type)
    .map((offer) => ({ value: canonicalOf(offer), label: `${offer.title} ${offer.version}` }));
  const isMissing = selectedProfile !== '' && options.every(({ value }) => value !== selectedProfile);
  const handleSelect = (value: string) => {
    const otherProfiles = Object.entries(profiles).filter(([name]) => name !== type);
    setProfiles(Object.fromEntries(value === '' ? otherProfiles : [...otherProfiles, [type, value]]));
    const title = options.find((offer) => offer.value === value)?.label ?? value;
    announce(value === '' ? messages.released(type) : messages.chosen(type, title));
  };
  return (
    <>
      <label htmlFor={id}>{messages.of(type)}</label>
      <NativeSelect
        id={id}
        disabled={options.length === 0 && selectedProfile === ''}
        value={selectedProfile}
        data={[
          { value: '', label: messages.claimed },
          ...options,
          ...(isMissing ? [{ value: selectedProfile, label: messages.away(selectedProfile) }] : []),
        ]}
        onChange={({ currentTarget: { value } }) => handleSelect(value)}
      />
      {isMissing && (
        <p role="status" className={styles.leftOut}>
          {messages.notHere(type)}
        </p>
      )}
    </>
  );
}
