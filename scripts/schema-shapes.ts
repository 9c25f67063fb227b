import { hasSibling, type Definition } from './schema-definitions.ts';

/** `[type, choice, targets]` of each property, trailing blanks left out: what the generated table holds. */
export type ShapeRow = readonly [type: string, choice?: string, targets?: readonly string[]];

/** By definition and property name, the type of every element, its choice group and its reference targets. */
export function shapeTable(definitions: readonly Definition[]): Record<string, Record<string, ShapeRow>> {
  return Object.fromEntries(
    definitions.map(({ name, properties }) => [
      name,
      Object.fromEntries(
        properties.flatMap((property): [string, ShapeRow][] => {
          const { type, choice, targets } = property;
          const referable = type === 'Reference' ? targets : undefined;
          const row: ShapeRow = referable
            ? [type, choice ?? '', referable]
            : choice
              ? [type, choice]
              : [type];
          const sibling: ShapeRow = choice ? ['Element', choice] : ['Element'];
          return hasSibling(property)
            ? [
                [property.name, row],
                [`_${property.name}`, sibling],
              ]
            : [[property.name, row]];
        }),
      ),
    ]),
  );
}
