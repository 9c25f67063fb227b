import { NativeSelect } from '@mantine/core';
import { useId } from 'react';
import type { PackageList } from '../../../core/app/packages.ts';
import { definitionOf, resourceTypes, type ResourceType } from '../../../core/fhir/resource.ts';
import { canonicalOf, offersOf, useProfileProgress } from '../../platform/packages.ts';
import { usePreference } from '../../platform/preferences.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';

const words = text.packages.judgeBy;

/** The profile by which every record of a type is judged. */
export function JudgeBy({ list }: { readonly list: PackageList }) {
  return (
    <section className={styles.section} aria-label={words.heading}>
      <h3>{words.heading}</h3>
      <p>{words.what}</p>
      <div className={styles.choices}>
        {resourceTypes.map((type) => (
          <Choice key={type} type={type} list={list} />
        ))}
      </div>
      <Progress />
    </section>
  );
}

/** How far the records are judged by profiles, and what came of it. */
function Progress() {
  const { data = [] } = useProfileProgress();
  if (data.length === 0) return null;
  return (
    <ul className={styles.progress} aria-label={words.progress}>
      {data.map(({ type, done, total, applied, violated }) => (
        <li key={type}>
          {done < total
            ? words.checking(definitionOf(type).plural, done, total)
            : words.checked(definitionOf(type).plural, violated, applied)}
        </li>
      ))}
    </ul>
  );
}

function Choice({ type, list }: { readonly type: ResourceType; readonly list: PackageList }) {
  const id = useId();
  const announce = useAnnounce();
  const [profiles, setProfiles] = usePreference('profiles');
  const chosen = profiles[type] ?? '';
  const offers = offersOf(list)
    .filter((offer) => offer.type === type)
    .map((offer) => ({ value: canonicalOf(offer), label: `${offer.title} ${offer.version}` }));
  const isAway = chosen !== '' && offers.every(({ value }) => value !== chosen);
  const choose = (value: string) => {
    const others = Object.entries(profiles).filter(([name]) => name !== type);
    setProfiles(Object.fromEntries(value === '' ? others : [...others, [type, value]]));
    const title = offers.find((offer) => offer.value === value)?.label ?? value;
    announce(value === '' ? words.released(type) : words.chosen(type, title));
  };
  return (
    <>
      <label htmlFor={id}>{words.of(type)}</label>
      <NativeSelect
        id={id}
        disabled={offers.length === 0 && chosen === ''}
        value={chosen}
        data={[
          { value: '', label: words.claimed },
          ...offers,
          ...(isAway ? [{ value: chosen, label: words.away(chosen) }] : []),
        ]}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      {isAway && (
        <p role="status" className={styles.leftOut}>
          {words.notHere(type)}
        </p>
      )}
    </>
  );
}
