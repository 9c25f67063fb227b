import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState, Fragment, type ReactNode } from 'react';
import { useCommandHandlers } from '../../platform/commands.ts';
import { text } from '../../ui/text.ts';
import { findInGuide, guidePages, pictureOf, pictureSize } from './guide-pages.ts';
import styles from './guide.module.css';
import type { MarkedToken, Token } from 'marked';
import { LinkButton } from '../../ui/link-button.tsx';

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

interface GuideTextProps {
  readonly tokens: readonly Token[];
  /** Opens another page of the guide by its file name. */
  readonly onPage: (id: string) => void;
}

/** Renders Markdown. Unsupported tokens appear as text. */
export function GuideText({ tokens, onPage }: GuideTextProps): ReactNode {
  const renderChildren = (children: readonly Token[] = []) => <GuideText tokens={children} onPage={onPage} />;
  return tokens.map((token, index) => (
    <Fragment key={index}>{renderToken(token as SupportedToken, renderChildren, onPage)}</Fragment>
  ));
}

type SupportedToken = Extract<
  MarkedToken,
  { type: 'paragraph' | 'list' | 'image' | 'link' | 'strong' | 'codespan' | 'text' | 'space' }
>;

function renderToken(
  token: SupportedToken,
  inner: (tokens?: readonly Token[]) => ReactNode,
  onPage: (id: string) => void,
): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{inner(token.tokens)}</p>;
    case 'list': {
      const List = token.ordered ? 'ol' : 'ul';
      return (
        <List>
          {token.items.map((item, index) => (
            <li key={index}>{inner(item.tokens)}</li>
          ))}
        </List>
      );
    }
    case 'image':
      return <img src={pictureOf(token.href)} alt={token.text} {...pictureSize} />;
    case 'link':
      return <LinkButton onClick={() => onPage(token.href)}>{inner(token.tokens)}</LinkButton>;
    case 'strong':
      return <strong>{inner(token.tokens)}</strong>;
    case 'codespan':
      return <code>{token.raw.replaceAll('`', '')}</code>;
    case 'text':
      return token.tokens ? inner(token.tokens) : token.raw;
    case 'space':
      return null;
    default:
      return (token as Token).raw;
  }
}
