import { itemsOf, typeOfItem, type Item } from './items.ts';
import { stringMember } from '../../json/node.ts';
import type { DiscriminatorPlan, Step } from './plan.ts';

/** A discriminator (FHIR R4 profiling.html#discriminator), its path taken apart. */
export function discriminatorOf(type: string, path: string): DiscriminatorPlan {
  const own = path.trim();
  const last = /(?:^|(?<=[^.])\.)resolve\(\)$/.exec(own);
  return { type, path, steps: readSteps(own.slice(0, last?.index)), resolves: last !== null };
}

function readSteps(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const found = /^(?:\$this|extension\(['"]([^'"]*)['"]\)|(?:ofType|as)\((\w+)\)|(\w+))(?:\.|$)/.exec(rest);
    if (!found) return undefined;
    const [whole, url, type, name] = found;
    if (url !== undefined) steps.push({ is: 'extension', url });
    else if (type !== undefined) steps.push({ is: 'type', type });
    else if (name !== undefined) steps.push({ is: 'name', name });
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** The values that a path leads to. */
export function itemsAt(item: Item, steps: readonly Step[]): readonly Item[] {
  let found: readonly Item[] = [item];
  for (const step of steps) found = found.flatMap((one) => itemsBelow(one, step));
  return found;
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
  }
}
