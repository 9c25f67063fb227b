import { definitionOf, type ResourceType } from '../../../core/fhir/resource.ts';
import { formatPlural, type MessageParameters, type PluralForms } from '../../../core/text/language.ts';

/**
 * Returns the message of a number of records of one type.
 *
 * @param forms - Whole messages. `{type}` is the name of the type, `{plural}` the name of several of its records.
 */
export function formatOfType(
  count: number,
  type: ResourceType,
  forms: PluralForms,
  parameters: MessageParameters = {},
): string {
  return formatPlural(count, forms, { ...parameters, type, plural: definitionOf(type).plural });
}
