/**
 * features/guide shows the user's guide, docs/guide, within the page. The app shell mounts it. Invariant: all text
 * and pictures come from the files of the build; nothing is fetched from elsewhere.
 */
import { lexer, type Token } from 'marked';

/** A section of a page: the content between one heading and the next. */
interface GuideSection {
  /** Unique within all pages. */
  readonly id: string;
  readonly title: string;
  readonly tokens: readonly Token[];
  /** Searchable text in lower case. */
  readonly words: string;
}

/** A file of docs/guide. The heading of its first section is the title of the page. */
export interface GuidePage {
  /** File name. */
  readonly id: string;
  readonly title: string;
  readonly sections: readonly GuideSection[];
}

function parsePage(id: string, markdown: string): GuidePage {
  const sections: { title: string; tokens: Token[] }[] = [];
  for (const token of lexer(markdown)) {
    if (token.type === 'heading') sections.push({ title: token.text as string, tokens: [] });
    else sections.at(-1)?.tokens.push(token);
  }
  return {
    id,
    title: sections[0]?.title ?? id,
    sections: sections.map(({ title, tokens }, index) => ({
      id: `${id}-${index}`,
      title,
      tokens,
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

const getFileName = (path: string): string => path.replace(/^.*\//, '');

/** All pages, ordered by file name. */
export const guidePages: readonly GuidePage[] = Object.entries(files).map(([path, markdown]) =>
  parsePage(getFileName(path), markdown),
);

/** Pixels of each picture. The page reserves them, so that a picture that loads late moves no text. */
export const pictureSize = { width: 1280, height: 800 } as const;

/** Returns the URL of a picture in a page; undefined if it does not exist. */
export function pictureOf(href: string): string | undefined {
  return pictures[`../../../docs/images/${getFileName(href)}`];
}

/** Returns the pages with the sections that contain every word of a query. Excludes pages without such sections. */
export function findInGuide(pages: readonly GuidePage[], query: string): readonly GuidePage[] {
  const queryWords = query.toLowerCase().split(/\s+/).filter(Boolean);
  return pages.flatMap((page) => {
    const sections = page.sections.filter(({ words }) => queryWords.every((word) => words.includes(word)));
    return sections.length === 0 ? [] : [{ ...page, sections }];
  });
}
