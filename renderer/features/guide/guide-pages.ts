/**
 * features/guide shows the user's guide, docs/guide, within the page. The app shell mounts it. Invariant: the words are
 * those of the files alone, which the build brings along with their pictures; nothing is fetched from elsewhere.
 */
import { lexer, type Token } from 'marked';

/** A part of a page: what stands beneath one heading, down to the next. */
interface GuideSection {
  /** Within all pages. */
  readonly id: string;
  readonly title: string;
  readonly tokens: readonly Token[];
  /** What is looked for, in lower case. */
  readonly words: string;
}

/** A file of docs/guide: its first section bears the title of the page. */
export interface GuidePage {
  /** The name of its file. */
  readonly id: string;
  readonly title: string;
  readonly sections: readonly GuideSection[];
}

/** A page of its Markdown. */
function guidePage(id: string, markdown: string): GuidePage {
  const sections: { title: string; tokens: Token[] }[] = [];
  for (const token of lexer(markdown)) {
    if (token.type === 'heading') sections.push({ title: token.text as string, tokens: [] });
    else sections.at(-1)?.tokens.push(token);
  }
  return {
    id,
    title: sections[0]?.title ?? id,
    sections: sections.map(({ title, tokens }, place) => ({
      ...{ id: `${id}-${place}`, title, tokens },
      words: [title, ...tokens.map(({ raw }) => raw)].join(' ').toLowerCase(),
    })),
  };
}

const files = import.meta.glob<string>('../../../docs/guide/*.md', {
  eager: true,
  query: '?raw',
  import: 'default',
});
const pictures = import.meta.glob<string>('../../../docs/images/*.png', {
  eager: true,
  query: '?url',
  import: 'default',
});

const nameOf = (path: string): string => path.replace(/^.*\//, '');

/** Every page, in the order of the files' names. */
export const guidePages: readonly GuidePage[] = Object.entries(files).map(([path, markdown]) =>
  guidePage(nameOf(path), markdown),
);

/** Where the page has a picture that a file names; undefined where there is none. */
export function pictureOf(href: string): string | undefined {
  return pictures[`../../../docs/images/${nameOf(href)}`];
}

/** The pages with those of their sections that hold every word of a query; pages without one are left out. */
export function findInGuide(pages: readonly GuidePage[], query: string): readonly GuidePage[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  return pages.flatMap((page) => {
    const sections = page.sections.filter(({ words }) => wanted.every((word) => words.includes(word)));
    return sections.length === 0 ? [] : [{ ...page, sections }];
  });
}
