import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useCommandHandlers } from '../../platform/commands.ts';
import { text } from '../../ui/text.ts';
import { findInGuide, guidePages } from './guide-pages.ts';
import { GuideText } from './guide-text.tsx';
import styles from './guide.module.css';

const words = text.guide;

/** The user's guide: its pages and sections at the left, narrowed by what is looked for, and the chosen page. */
export function GuideView() {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const page = useRef<HTMLElement>(null);
  useCommandHandlers({ 'app.guide': () => field.current?.focus() });
  const found = findInGuide(guidePages, query);
  const holds = (id: string) =>
    guidePages.find((one) => one.id === id || one.sections.some((part) => part.id === id));
  const shown = holds(chosen) ?? guidePages[0];
  // A section is brought to the top of the page, a page begins at its own.
  useLayoutEffect(() => {
    const place = [...(page.current?.children ?? [])].find(({ id }) => id === chosen);
    if (place) place.scrollIntoView();
    else page.current?.scrollTo({ top: 0 });
  }, [chosen]);
  return (
    <div className={styles.guide}>
      <nav aria-label={words.contents} className={styles.contents}>
        <TextInput
          ref={field}
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        {found.length === 0 && <p className={styles.none}>{words.none}</p>}
        <ol>
          {found.map(({ id, title, sections }) => (
            <li key={id}>
              <Entry title={title} current={id === shown?.id} onChoose={() => setChosen(id)} />
              <ol>
                {sections
                  .filter((section) => section.title !== title)
                  .map((section) => (
                    <li key={section.id}>
                      <Entry title={section.title} onChoose={() => setChosen(section.id)} />
                    </li>
                  ))}
              </ol>
            </li>
          ))}
        </ol>
      </nav>
      <article ref={page} className={styles.page} tabIndex={0} aria-label={shown?.title}>
        {shown?.sections.map(({ id, title, tokens }) => (
          <section key={id} id={id}>
            {title === shown.title ? <h1>{title}</h1> : <h2>{title}</h2>}
            <GuideText tokens={tokens} onPage={setChosen} />
          </section>
        ))}
      </article>
    </div>
  );
}

interface EntryProps {
  readonly title: string;
  readonly current?: boolean;
  readonly onChoose: () => void;
}

function Entry({ title, current, onChoose }: EntryProps) {
  return (
    <button type="button" aria-current={current === true ? 'page' : undefined} onClick={onChoose}>
      {title}
    </button>
  );
}
