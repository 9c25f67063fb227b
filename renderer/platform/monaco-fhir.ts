import type * as Monaco from 'monaco-editor/editor/editor.api';
import { outlineOf, type OutlineEntry } from '../../core/fhir/outline.ts';
import { helpAt, type ElementHelp } from '../../core/fhir/element-help.ts';
import { enclosedIn } from '../../core/fhir/enclosing.ts';
import { suggest, type Suggestion } from '../../core/fhir/suggest.ts';
import { isWanted, wordsAt, type Digest, type ProfileWord } from '../../core/fhir/profiles/digest.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import { locateOffset, type CursorLocation } from '../../core/json/cursor-location.ts';
import { text } from '../ui/text.ts';
import { plainMarkdown, rangeOf, typeOfModel } from './monaco-model.ts';
import { digestsIn } from './profile-digests.ts';

type Model = Monaco.editor.ITextModel;

/** Length that fits into a row of the list. */
const maxNoteLength = 48;

/** Registers completion, hover and outline by the FHIR R4 definitions, for models of records. */
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
      const orderedSuggestions = byProfiles(
        digestsIn(model),
        type,
        locateOffset(source, offset),
        suggestions,
      );
      return {
        suggestions: orderedSuggestions.map((suggestion, index) => itemOf(monaco, model, suggestion, index)),
      };
    },
  });
  languages.registerHoverProvider('json', {
    provideHover: (model, position) => {
      const type = typeOfModel(model);
      if (!type) return null;
      const text = model.getValue();
      const { role, tokens, start, end } = locateOffset(text, model.getOffsetAt(position));
      if (start === end || role === 'between') return null;
      const location = enclosedIn(text, type, tokens);
      const help = helpAt(location.type, location.tokens);
      if (!help) return null;
      const source = text.slice(start, end);
      const code = role === 'value' && help.codes ? source.slice(1, -1) : undefined;
      const profileWords = wordsAt(digestsIn(model), type, tokens);
      const contents = [
        ...hoverOf(help, code),
        ...profileWords.map((word) => ({ value: profileLine(word) })),
      ];
      return { range: rangeOf(model, { start, end }), contents };
    },
  });
}

/** Adds the profile notes to the suggestions. Elements that a profile requires come first. */
function byProfiles(
  digests: readonly Digest[],
  type: ResourceType,
  { container }: CursorLocation,
  suggestions: readonly Suggestion[],
): readonly Suggestion[] {
  if (digests.length === 0) return suggestions;
  const annotated = suggestions.map((suggestion) => {
    const profileWords =
      suggestion.kind === 'element' ? wordsAt(digests, type, [...container, suggestion.label]) : [];
    const documentation = [...profileWords.map(profileLine), suggestion.documentation].join('\n\n');
    const isFirst = isWanted(profileWords);
    const detail = isFirst ? `${suggestion.detail} ${text.profiles.mark}` : suggestion.detail;
    return {
      suggestion: profileWords.length === 0 ? suggestion : { ...suggestion, detail, documentation },
      isFirst,
    };
  });
  return annotated
    .toSorted((a, b) => Number(b.isFirst) - Number(a.isFirst))
    .map(({ suggestion }) => suggestion);
}

function profileLine({ profile, min, max, mustSupport, slices, short }: ProfileWord): string {
  const {
    element,
    asks: cardinalityText,
    mustSupport: mustSupportText,
    slices: formatSlices,
  } = text.profiles;
  const parts = [
    cardinalityText(min, max),
    ...(mustSupport ? [mustSupportText] : []),
    ...(slices.length > 0 ? [formatSlices(slices)] : []),
    ...(short === '' ? [] : [short]),
  ];
  return plainMarkdown(element(profile, parts));
}

function itemOf(
  monaco: typeof Monaco,
  model: Model,
  { kind, label, detail, documentation, insert, start, end, opensNext }: Suggestion,
  index: number,
): Monaco.languages.CompletionItem {
  const { CompletionItemKind, CompletionItemInsertTextRule } = monaco.languages;
  const kinds = {
    element: CompletionItemKind.Property,
    code: CompletionItemKind.EnumMember,
    value: CompletionItemKind.Value,
  };
  return {
    // Shown in every row, not only in the details of the selected one.
    label: { label, description: detail === '' ? clip(documentation) : detail },
    kind: kinds[kind],
    documentation,
    insertText: insert,
    insertTextRules: CompletionItemInsertTextRule.InsertAsSnippet,
    // Monaco compares the text at the cursor including its quotes.
    filterText: kind === 'value' ? label : `"${label}"`,
    sortText: String(index).padStart(4, '0'),
    range: rangeOf(model, { start, end }),
    ...(opensNext && { command: { id: 'editor.action.triggerSuggest', title: '' } }),
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
    codes?.map((code) => `\`${code}\``).join(' '),
  ];
  return paragraphs.flatMap((value) => (value ? [{ value }] : []));
}

function clip(text: string): string {
  return text.length > maxNoteLength ? `${text.slice(0, maxNoteLength)}…` : text;
}

/** Registers the outline of a record by element names, for Monaco's quick outline. */
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
          // The quick outline shows and searches only names.
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
