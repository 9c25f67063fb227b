import { items, stringMember, type JsonNode, type JsonObject } from '../../json/node.ts';
import type { Finding } from '../validation/finding.ts';
import { wholeItem } from './items.ts';
import type { Library } from './library.ts';
import { Report, type Undecided } from './report.ts';
import { Walk, type Beside } from './walk.ts';

/** What a record came to by profiles. */
export interface ProfileVerdict {
  /** Each once, in no order. */
  readonly findings: readonly Finding[];
  readonly undecided: readonly Undecided[];
  /** Canonicals of profiles that are not at hand, or are not of the record's type. */
  readonly absent: readonly string[];
}

/** Where no other record is at hand, and nobody evaluates FHIRPath. */
export const nothingBeside: Beside = {
  resolve: () => undefined,
  holds: () => 'somebody who evaluates FHIRPath',
};

/**
 * Judges a record by profiles, and the extensions in it by theirs as far as those are at hand. Never throws; what cannot be
 * decided is said.
 */
export function judgeBy(
  canonicals: readonly string[],
  record: JsonObject,
  type: string,
  library: Library,
  beside: Beside = nothingBeside,
): ProfileVerdict {
  const report = new Report(type);
  const walk = new Walk(library, record, type, beside);
  const whole = wholeItem(record, []);
  const absent: string[] = [];
  for (const canonical of new Set(canonicals)) {
    const plan = library.profile(canonical);
    if (!plan || (plan.type !== '' && plan.type !== type)) absent.push(canonical);
    else walk.profile(plan, whole, report);
  }
  if (absent.length < canonicals.length)
    extensionsIn(record, [], (extension, tokens) => {
      const plan = library.profile(stringMember(extension, 'url') ?? '');
      if (plan?.type === 'Extension') walk.profile(plan, wholeItem(extension, tokens.map(String)), report);
    });
  return {
    findings: once(report.findings, ({ rule, tokens }) => `${withoutOuterSlices(rule)} ${tokens.join('/')}`),
    undecided: once(report.undecided, ({ profile, element, tokens, needs }) =>
      [profile, element, needs, ...tokens].join(' '),
    ),
    absent,
  };
}

/** What an element demands, its slices demand again: the slice, which comes behind it, is named. */
function withoutOuterSlices(rule: string): string {
  return rule.replaceAll(/:[^./]*(?=\.)/g, '');
}

function once<One>(all: readonly One[], keyOf: (one: One) => string): readonly One[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}

/** Every extension of a record, at its place. Those within an extension are told by its profile. */
function extensionsIn(
  node: JsonNode,
  tokens: (string | number)[],
  found: (extension: JsonObject, tokens: readonly (string | number)[]) => void,
): void {
  if (node.kind === 'array') {
    for (let at = 0; at < node.items.length; at += 1) {
      const item = node.items[at];
      if (item?.kind !== 'object') continue;
      tokens.push(at);
      extensionsIn(item, tokens, found);
      tokens.pop();
    }
  }
  if (node.kind !== 'object') return;
  for (const { key, value } of node.members) {
    if (value.kind !== 'object' && value.kind !== 'array') continue;
    tokens.push(key);
    if (key !== 'extension' && key !== 'modifierExtension') extensionsIn(value, tokens, found);
    else
      for (const [index, item] of items(value).entries()) {
        if (item.kind === 'object') found(item, [...tokens, index]);
      }
    tokens.pop();
  }
}
