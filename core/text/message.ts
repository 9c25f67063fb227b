import { fillPlaceholders, formatPlural, type MessageParameters, type PluralForms } from './language.ts';

/** Message for users with a code and parameters, so that readers can show it in another language. */
export interface Message {
  /** Name of the message, such as `record.absent`. Independent of its text. */
  readonly messageCode: string;
  /** Values of the placeholders; absent if the message has none. */
  readonly parameters?: MessageParameters;
  /** Text in English. */
  readonly text: string;
}

/** Text with placeholders, or one for each plural category. `{n}` is the count. */
export type MessageTemplate = string | PluralForms;

type PlaceholdersOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never;

type NamesOf<Template extends MessageTemplate> = Template extends string
  ? PlaceholdersOf<Template>
  : 'n' | PlaceholdersOf<Extract<Template[keyof Template], string>>;

type ParametersOf<Template extends MessageTemplate> = {
  readonly [Name in NamesOf<Template>]: Name extends 'n' ? number : string | number;
};

type MessageBuilder<Template extends MessageTemplate> = [NamesOf<Template>] extends [never]
  ? () => Message
  : (parameters: ParametersOf<Template>) => Message;

/**
 * Declares the messages of a module. Each becomes a function that returns a message with the code
 * `scope.name`.
 *
 * @example
 * const messages = defineMessages('record', { absent: 'There is no {type} with this ID.' });
 * throw new FhirError('not-found', messages.absent({ type: 'CarePlan' }));
 */
export function defineMessages<const Templates extends Readonly<Record<string, MessageTemplate>>>(
  scope: string,
  templates: Templates,
): { readonly [Name in keyof Templates]: MessageBuilder<Templates[Name]> } {
  const builders = Object.entries(templates).map(([name, template]) => [
    name,
    (parameters?: MessageParameters) => buildMessage(`${scope}.${name}`, template, parameters),
  ]);
  return Object.fromEntries(builders) as ReturnType<typeof defineMessages<Templates>>;
}

function buildMessage(
  messageCode: string,
  template: MessageTemplate,
  parameters?: MessageParameters,
): Message {
  const text =
    typeof template === 'string'
      ? fillPlaceholders(template, parameters ?? {})
      : formatPlural(Number(parameters?.n), template, parameters);
  return parameters === undefined ? { messageCode, text } : { messageCode, parameters, text };
}
