import { itemsOf, typeOfItem, type Item } from './items.ts';
import { stringMember } from '../../json/node.ts';

export type Step =
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'extension'; readonly url: string }
  | { readonly is: 'type'; readonly type: string }
  | { readonly is: 'resolve' };

const known = new Map<string, readonly Step[] | undefined>();

/** The steps of a discriminator's path (FHIR R4 profiling.html#discriminator); undefined where it has others. */
export function stepsOf(path: string): readonly Step[] | undefined {
  if (known.has(path)) return known.get(path);
  const steps = readSteps(path);
  known.set(path, steps);
  return steps;
}

function readSteps(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let rest = path.trim();
  while (rest !== '') {
    const found =
      /^(?:(\$this|resolve\(\))|extension\(['"]([^'"]*)['"]\)|(?:ofType|as)\((\w+)\)|(\w+))(?:\.|$)/.exec(
        rest,
      );
    if (!found) return undefined;
    const [whole, fixed, url, type, name] = found;
    if (fixed === 'resolve()') steps.push({ is: 'resolve' });
    else if (url !== undefined) steps.push({ is: 'extension', url });
    else if (type !== undefined) steps.push({ is: 'type', type });
    else if (name !== undefined) steps.push({ is: 'name', name });
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** The values that a path leads to. */
export function itemsAt(found: readonly Item[], steps: readonly Step[]): readonly Item[] {
  return steps.reduce<readonly Item[]>((at, step) => at.flatMap((item) => itemsBelow(item, step)), found);
}

function itemsBelow(item: Item, step: Step): readonly Item[] {
  switch (step.is) {
    case 'name': {
      const plain = itemsOf(item, step.name, false);
      return plain.length > 0 ? plain : itemsOf(item, step.name, true);
    }
    case 'extension':
      return itemsOf(item, 'extension', false).filter(({ node }) => stringMember(node, 'url') === step.url);
    case 'type':
      return typeOfItem(item) === step.type ? [item] : [];
    case 'resolve':
      return [];
  }
}
