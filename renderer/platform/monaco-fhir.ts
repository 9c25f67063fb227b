import type * as Monaco from 'monaco-editor/editor/editor.api';
import { outlineOf, type OutlineEntry } from '../../core/fhir/outline.ts';
import { helpAt, type ElementHelp } from '../../core/fhir/element-help.ts';
import { enclosedIn } from '../../core/fhir/enclosing.ts';
import { suggest, type Suggestion } from '../../core/fhir/suggest.ts';
import { isWanted, wordsAt, type Digest, type ProfileWord } from '../../core/fhir/profiles/digest.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { placeAt, type CursorPlace } from '../../core/json/place.ts';
import { text } from '../ui/text.ts';
import { plainMarkdown, rangeOf, typeOfModel } from './monaco-model.ts';
import { digestsIn } from './profile-digests.ts';

type Model = Monaco.editor.ITextModel;

/** What a row of the list has room for. */
const longestNote = 48;

/** Completion, hover and outline by FHIR R4's definitions, for the models that hold a record. */
export function registerFhir(monaco: typeof Monaco): void {
  registerOutline(monaco);
  const { languages } = monaco;
  languages.registerCompletionItemProvider('json', {
    triggerCharacters: ['"', ' ', ':'],
    provideCompletionItems: (model, position) => {
      const type = typeOfModel(model);
      if (!type) return { suggestions: [] };
      const [source, offset] = [model.getValue(), model.getOffsetAt(position)];
      const suggestions = suggest(source, offset, type);
      const found = byProfiles(digestsIn(model), type, placeAt(source, offset), suggestions);
      return { suggestions: found.map((one, index) => itemOf(monaco, model, one, index)) };
    },
  });
  languages.registerHoverProvider('json', {
    provideHover: (model, position) => {
      const type = typeOfModel(model);
      if (!type) return null;
      const text = model.getValue();
      const { role, tokens, start, end } = placeAt(text, model.getOffsetAt(position));
      if (start === end || role === 'between') return null;
      const place = enclosedIn(text, type, tokens);
      const help = helpAt(place.type, place.tokens);
      if (!help) return null;
      const source = text.slice(start, end);
      const code = role === 'value' && help.codes ? source.slice(1, -1) : undefined;
      const words = wordsAt(digestsIn(model), type, tokens);
      const contents = [...hoverOf(help, code), ...words.map((word) => ({ value: profileLine(word) }))];
      return { range: rangeOf(model, { start, end }), contents };
    },
  });
}

/** Suggestions with what profiles say of them; what is wanted stands first. */
function byProfiles(
  digests: readonly Digest[],
  type: ResourceType,
  { container }: CursorPlace,
  suggestions: readonly Suggestion[],
): readonly Suggestion[] {
  if (digests.length === 0) return suggestions;
  const told = suggestions.map((one) => {
    const words = one.kind === 'element' ? wordsAt(digests, type, [...container, one.label]) : [];
    const documentation = [...words.map(profileLine), one.documentation].join('\n\n');
    const isFirst = isWanted(words);
    const detail = isFirst ? `${one.detail} ${text.profiles.mark}` : one.detail;
    return { one: words.length === 0 ? one : { ...one, detail, documentation }, isFirst };
  });
  return told.toSorted((left, right) => Number(right.isFirst) - Number(left.isFirst)).map(({ one }) => one);
}

function profileLine({ profile, min, max, mustSupport, slices, short }: ProfileWord): string {
  const { element, asks, mustSupport: supported, slices: named } = text.profiles;
  const parts = [
    asks(min, max),
    ...(mustSupport ? [supported] : []),
    ...(slices.length > 0 ? [named(slices)] : []),
    ...(short === '' ? [] : [short]),
  ];
  return plainMarkdown(`${element(profile)}: ${parts.join(', ')}`);
}

function itemOf(
  monaco: typeof Monaco,
  model: Model,
  { kind, label, detail, documentation, insert, start, end, goesOn }: Suggestion,
  index: number,
): Monaco.languages.CompletionItem {
  const { CompletionItemKind, CompletionItemInsertTextRule } = monaco.languages;
  const kinds = {
    element: CompletionItemKind.Property,
    code: CompletionItemKind.EnumMember,
    value: CompletionItemKind.Value,
  };
  return {
    // In every row, not only in the chosen one's details.
    label: { label, description: detail === '' ? clip(documentation) : detail },
    kind: kinds[kind],
    documentation,
    insertText: insert,
    insertTextRules: CompletionItemInsertTextRule.InsertAsSnippet,
    // What stands there is compared with its quotes.
    filterText: kind === 'value' ? label : `"${label}"`,
    sortText: String(index).padStart(4, '0'),
    range: rangeOf(model, { start, end }),
    ...(goesOn && { command: { id: 'editor.action.triggerSuggest', title: '' } }),
  };
}

function hoverOf(help: ElementHelp, code: string | undefined): Monaco.IMarkdownString[] {
  const { expression, type, cardinality, short, definition, meanings, codes } = help;
  const meaning = code === undefined ? undefined : meanings?.[code];
  const paragraphs = [
    `**${expression}** \`${type}\` ${cardinality}`,
    meaning === undefined ? undefined : `\`${code ?? ''}\`: ${plainMarkdown(meaning)}`,
    plainMarkdown(short),
    definition && plainMarkdown(definition),
    codes?.map((one) => `\`${one}\``).join(' '),
  ];
  return paragraphs.flatMap((value) => (value ? [{ value }] : []));
}

function clip(text: string): string {
  return text.length > longestNote ? `${text.slice(0, longestNote)}…` : text;
}

/** The outline of a record by its elements' names, for Monaco's quick outline. */
function registerOutline(monaco: typeof Monaco): void {
  monaco.languages.registerDocumentSymbolProvider('json', {
    displayName: 'FHIR',
    provideDocumentSymbols: (model) => {
      const type = typeOfModel(model) ?? '';
      const digests = digestsIn(model);
      const toSymbol = (
        { name, detail, children, ...span }: OutlineEntry,
        owner: readonly string[],
      ): Monaco.languages.DocumentSymbol => {
        const tokens = [...owner, name.replace(/\[\d+\]$/, '')];
        const mark = isWanted(wordsAt(digests, type, tokens)) ? `  ${text.profiles.mark}` : '';
        const range = rangeOf(model, span);
        return {
          // The quick outline shows and searches names alone.
          name: (detail === '' ? name : `${name}  ${detail}`) + mark,
          detail: '',
          kind: monaco.languages.SymbolKind[children.length > 0 ? 'Object' : 'Field'],
          tags: [],
          range,
          selectionRange: range,
          children: children.map((child) => toSymbol(child, tokens)),
        };
      };
      return outlineOf(model.getValue()).map((entry) => toSymbol(entry, []));
    },
  });
}
