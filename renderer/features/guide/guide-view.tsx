import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useCommandHandlers } from '../../platform/commands.ts';
import { text } from '../../ui/text.ts';
import { findInGuide, guidePages } from './guide-pages.ts';
import { GuideText } from './guide-text.tsx';
import styles from './guide.module.css';

const messages = text.guide;

/** User's guide: contents on the left, filtered by the search, and the selected page. */
export function GuideView() {
  const [query, setQuery] = useState('');
  const [selectedId, setSelectedId] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const page = useRef<HTMLElement>(null);
  useCommandHandlers({ 'app.guide': () => field.current?.focus() });
  const matchingPages = findInGuide(guidePages, query);
  const findPage = (id: string) =>
    guidePages.find((candidate) => candidate.id === id || candidate.sections.some((part) => part.id === id));
  const currentPage = findPage(selectedId) ?? guidePages[0];
  // Scrolls to the selected section, or to the top of a page.
  useLayoutEffect(() => {
    const target = [...(page.current?.children ?? [])].find(({ id }) => id === selectedId);
    if (target) target.scrollIntoView();
    else page.current?.scrollTo({ top: 0 });
  }, [selectedId]);
  return (
    <div className={styles.guide}>
      <nav aria-label={messages.contents} className={styles.contents}>
        <TextInput
          ref={field}
          type="search"
          aria-label={messages.search}
          placeholder={messages.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        {matchingPages.length === 0 && <p className={styles.none}>{messages.none}</p>}
        <ol>
          {matchingPages.map(({ id, title, sections }) => (
            <li key={id}>
              <Entry title={title} current={id === currentPage?.id} onSelect={() => setSelectedId(id)} />
              <ol>
                {sections
                  .filter((section) => section.title !== title)
                  .map((section) => (
                    <li key={section.id}>
                      <Entry title={section.title} onSelect={() => setSelectedId(section.id)} />
                    </li>
                  ))}
              </ol>
            </li>
          ))}
        </ol>
      </nav>
      <article ref={page} className={styles.page} tabIndex={0} aria-label={currentPage?.title}>
        {currentPage?.sections.map(({ id, title, tokens }) => (
          <section key={id} id={id}>
            {title === currentPage.title ? <h1>{title}</h1> : <h2>{title}</h2>}
            <GuideText tokens={tokens} onPage={setSelectedId} />
          </section>
        ))}
      </article>
    </div>
  );
}

interface EntryProps {
  readonly title: string;
  readonly current?: boolean;
  readonly onSelect: () => void;
}

function Entry({ title, current, onSelect }: EntryProps) {
  return (
    <button type="button" aria-current={current === true ? 'page' : undefined} onClick={onSelect}>
      {title}
    </button>
  );
}
