import { itemsOf, typeOfItem, type Item } from './items.ts';
import { stringMember } from '../../json/node.ts';
import type { DiscriminatorPlan, Step } from './plan.ts';

/** Parses a discriminator and its path (FHIR R4 profiling.html#discriminator). */
export function discriminatorOf(type: string, path: string): DiscriminatorPlan {
  const trimmedPath = path.trim();
  const resolveMatch = /(?:^|(?<=[^.])\.)resolve\(\)$/.exec(trimmedPath);
  return {
    type,
    path,
    steps: readSteps(trimmedPath.slice(0, resolveMatch?.index)),
    resolves: resolveMatch !== null,
  };
}

function readSteps(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let remainingText = text;
  while (remainingText !== '') {
    const match = /^(?:\$this|extension\(['"]([^'"]*)['"]\)|(?:ofType|as)\((\w+)\)|(\w+))(?:\.|$)/.exec(
      remainingText,
    );
    if (!match) return undefined;
    const [fullMatch, url, type, name] = match;
    if (url !== undefined) steps.push({ kind: 'extension', url });
    else if (type !== undefined) steps.push({ kind: 'type', type });
    else if (name !== undefined) steps.push({ kind: 'name', name });
    remainingText = remainingText.slice(fullMatch.length);
  }
  return steps;
}

/** Returns the values at a path. */
export function itemsAt(item: Item, steps: readonly Step[]): readonly Item[] {
  let matches: readonly Item[] = [item];
  for (const step of steps) matches = matches.flatMap((match) => itemsBelow(match, step));
  return matches;
}

function itemsBelow(item: Item, step: Step): readonly Item[] {
  switch (step.kind) {
    case 'name': {
      const plain = itemsOf(item, step.name, false);
      return plain.length > 0 ? plain : itemsOf(item, step.name, true);
    }
    case 'extension':
      return itemsOf(item, 'extension', false).filter(({ node }) => stringMember(node, 'url') === step.url);
    case 'type':
      return typeOfItem(item) === step.type ? [item] : [];
  }
}
