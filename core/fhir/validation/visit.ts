import {
  member,
  stringMember,
  type JsonArray,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  type JsonString,
} from '../../json/node.ts';
import { maxDepth } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import type {
  TypeRule,
  CompiledType,
  PlainObject,
  ReportFinding,
  Rule,
  ElementSlot,
  RuleContext,
  PrimitiveForm,
} from '../../types/definition/rule.ts';
import { findingOf, type Finding } from './finding.ts';
import {
  containedKind,
  isAnyResource,
  judgesOn,
  kindOf,
  plainSlot,
  unknownKind,
  resourceTypeKind,
} from './kinds.ts';
import { ruleOf } from './rules.ts';
import { markupOf } from './xhtml.ts';
import { formatList } from '../../text/language.ts';
import type { SchemaRuleId } from './rules-schema.ts';

const underscore = 0x5f;
const numberSign = 0x23;
/** Rules on values of a trait. Most values have no trait and cost nothing. */
const traits = {
  sparse: judgesOn('sparse'),
  paired: judgesOn('paired'),
  choosing: judgesOn('choosing'),
  escaped: judgesOn('escaped'),
};

/**
 * Walks the record once and collects up to `most` findings.
 *
 * Compares each element with its definition, converts nodes to values and runs the rules of each type,
 * children first. Contained resources are walked by their own types.
 */
export function visit(
  record: JsonObject,
  type: ResourceType,
  today: string,
  limit: number,
): Pick<Visitor, 'findings' | 'revalidateAtMs'> {
  const visitor = new Visitor(type, today, containedTypes(record, type), limit);
  visitor.node(record, { ...plainSlot, kind: kindOf(type) });
  return visitor;
}

function containedTypes(record: JsonObject, type: ResourceType): Map<string, string | undefined> {
  const types = new Map<string, string | undefined>([['', type]]);
  const contained = member(record, 'contained');
  for (const item of contained?.kind === 'array' ? contained.items : []) {
    const id = stringMember(item, 'id');
    // An id with the # of a reference has a finding of its own. References to it are valid.
    const plain = id?.replace(/^#/, '');
    // If two resources share an id, a reference to it is ambiguous.
    if (plain !== undefined)
      types.set(plain, types.has(plain) ? undefined : stringMember(item, 'resourceType'));
  }
  return types;
}

class Visitor implements RuleContext {
  readonly findings: Finding[] = [];
  /** First midnight at which findings change with the calendar; undefined if they never do. */
  revalidateAtMs: number | undefined;
  readonly today: string;
  readonly contained: ReadonlyMap<string, string | undefined>;
  readonly fragments = new Set<string>();
  readonly path: (string | number)[] = [];
  targets: readonly string[] | undefined;
  kind: CompiledType = unknownKind;
  /** Element ids of the resource in progress. */
  private ids = new Set<string>();
  private readonly type: ResourceType;
  private readonly maxFindings: number;
  private rule: Rule | undefined;

  constructor(
    type: ResourceType,
    today: string,
    contained: ReadonlyMap<string, string | undefined>,
    limit: number,
  ) {
    this.type = type;
    this.maxFindings = limit;
    this.today = today;
    this.contained = contained;
  }

  node(node: JsonNode, slot: ElementSlot): unknown {
    switch (node.kind) {
      case 'object':
        return this.path.length >= maxDepth ? this.tooDeep() : this.object(node, slot);
      case 'array':
        return this.path.length >= maxDepth ? this.tooDeep() : this.array(node, slot);
      case 'string':
        return this.text(node, slot.kind);
      case 'number':
        return Number(node.source);
      case 'boolean':
        return node.value;
      case 'null':
        return null;
    }
  }

  private object(node: JsonObject, slot: ElementSlot): PlainObject {
    return isAnyResource(slot.kind) ? this.resource(node) : this.members(node, slot.kind, slot.targets);
  }

  /** Walks a contained resource by its own type, with its own element ids. */
  private resource(node: JsonObject): PlainObject {
    const kind = containedKind(stringMember(node, 'resourceType'));
    const outer = this.ids;
    this.ids = new Set();
    const resource = this.members(node, kind, undefined);
    this.ids = outer;
    return resource;
  }

  private members(node: JsonObject, kind: CompiledType, targets: readonly string[] | undefined): PlainObject {
    const element: Record<string, unknown> = {};
    const { slots } = kind;
    const hasDefinition = slots.size > 0 && !isAnyResource(kind);
    let choices = 0;
    let paired = false;
    for (const { key, value } of node.members) {
      const slot = slots.get(key) ?? plainSlot;
      if (slot.choice !== '') choices += 1;
      paired ||= mayPair(key, value);
      this.path.push(key);
      // An empty element gets no further finding.
      if (value.kind === 'null' || isEmpty(value)) this.add(ruleOf('empty'), []);
      else if (slot !== plainSlot) this.form(value, slot, false);
      else if (hasDefinition && key !== '__proto__') this.add(ruleOf('schema-unknown'), []);
      const child = this.node(value, slot);
      this.path.pop();
      if (slot.name !== '') element[slot.name] = child;
      // A member of this name would change the prototype. The record reader rejects it.
      else if (key !== '__proto__') element[key] = child;
    }
    if (kind.mandatory.length > 0 && node.members.length > 0) this.mandatory(kind, element);
    if (typeof element.id === 'string' && slots.has('id') && !slots.has('resourceType')) this.id(element.id);
    this.kind = kind;
    this.targets = targets;
    if (node.members.length < 2) this.ask(traits.sparse, element);
    if (choices > 1) this.ask(traits.choosing, element);
    if (paired) this.ask(traits.paired, element);
    // An object instead of a text is a type error only.
    if (!kind.form) this.ask(kind.rules, element);
    return element;
  }

  private array({ items }: JsonArray, slot: ElementSlot): unknown[] {
    const values: unknown[] = [];
    // Padding needs a sibling. A nested array has none.
    const inner = typeof this.path.at(-1) === 'number';
    const isListed = slot.repeats && !inner;
    for (const item of items) {
      this.path.push(values.length);
      if (isEmpty(item) || (inner && item.kind === 'null')) this.add(ruleOf('empty'), []);
      else if (isListed) this.form(item, slot, true);
      values.push(this.node(item, slot));
      this.path.pop();
    }
    return values;
  }

  private text({ value, source }: JsonString, kind: CompiledType): string {
    if (value.charCodeAt(0) === numberSign) this.fragments.add(value);
    // Images and links of a narrative may refer to contained resources (FHIR R4 narrative.html).
    if (kind.name === 'xhtml') for (const fragment of markupOf(value).fragments) this.fragments.add(fragment);
    // Only escapes make the source longer than the value and its quotes.
    if (source.length !== value.length + 2) this.ask(traits.escaped, value);
    // A text instead of an object is a type error only.
    if (kind.form && kind.rules.length > 0) this.ask(kind.rules, value);
    return value;
  }

  private form(node: JsonNode, slot: ElementSlot, isListed: boolean): void {
    const problem = findFormatProblem(node, slot, isListed);
    if (problem) this.add(ruleOf(problem.rule), [], problem.detail, problem.name);
  }

  private mandatory({ mandatory }: CompiledType, element: PlainObject): void {
    for (const { name, names } of mandatory) {
      const isPresent = names.some((name) => element[name] !== undefined);
      if (!isPresent) this.add(ruleOf('schema-required'), [], name, name);
    }
  }

  private id(id: string): void {
    if (/\s/.test(id)) this.add(ruleOf('element-id'), ['id']);
    if (this.ids.has(id)) this.add(ruleOf('element-id-twice'), ['id']);
    this.ids.add(id);
  }

  private tooDeep(): null {
    this.add(ruleOf('depth'), []);
    return null;
  }

  private ask(judges: readonly TypeRule[], value: PlainObject | string): void {
    // After the last reported finding, further rules only cost time.
    if (this.findings.length >= this.maxFindings) return;
    for (const { rule, check, nextChangeAt } of judges) {
      this.rule = rule;
      check(value, this.report, this);
      const day = nextChangeAt?.(value, this);
      if (day !== undefined) this.revalidateAtMs = Math.min(day, this.revalidateAtMs ?? day);
    }
  }

  private readonly report: ReportFinding = (tokens = [], detail, name) => {
    if (this.rule) this.add(this.rule, tokens, detail, name);
  };

  private add(rule: Rule, tokens: readonly (string | number)[], detail?: string, name?: string): void {
    if (this.findings.length >= this.maxFindings) return;
    this.findings.push(findingOf(rule, this.type, [...this.path, ...tokens].map(String), detail, name));
  }
}

/**
 * Returns true for an empty node, which FHIR forbids (FHIR R4 json.html). A null in an array may be padding,
 * which the rule sibling checks.
 */
function isEmpty(node: JsonNode): boolean {
  switch (node.kind) {
    case 'object':
      return node.members.length === 0;
    case 'array':
      return node.items.length === 0;
    case 'string':
      return node.value === '';
    case 'number':
    case 'boolean':
    case 'null':
      return false;
  }
}

/** Returns true if a member may pair with a sibling, by its name or by nulls that pad an array. */
function mayPair(key: string, value: JsonMember['value']): boolean {
  if (key.charCodeAt(0) === underscore) return true;
  return value.kind === 'array' && value.items.some(({ kind }) => kind === 'null');
}

/** Problem with the format of a value: the rule, its technical detail and the value for its sentence. */
interface FormatProblem {
  readonly rule: SchemaRuleId;
  readonly detail?: string;
  readonly name?: string;
}

const maxDetailCodes = 20;
/** Maximum number of codes in a sentence. */
const maxSentenceCodes = 10;
const dayPattern = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const zonePattern = '(?:Z|[+-][0-9]{2}:[0-9]{2})';
const timeWithoutZone = new RegExp(
  `^${dayPattern}T(?:[0-9]{2}(?::[0-9]{2})?${zonePattern}?|[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?)$`,
);
const timeTypes = new Set(['dateTime', 'instant']);

/**
 * Returns the problem of a value by FHIR's types: JSON type, format of text or number, code.
 *
 * @param listed - True if the node is an item of a list.
 * @see FHIR R4 json.html, datatypes.html#primitive
 */
function findFormatProblem(node: JsonNode, slot: ElementSlot, listed: boolean): FormatProblem | undefined {
  const { kind, repeats, padded, codes } = slot;
  if (repeats && !listed) return node.kind === 'array' ? undefined : createTypeProblem('array');
  const { form } = kind;
  if (node.kind === 'null' && padded) return undefined;
  if (form === undefined) return node.kind === 'object' ? undefined : createTypeProblem('object');
  if (kind === resourceTypeKind) {
    const right = node.kind === 'string' && (codes === undefined || codes.has(node.value));
    return right
      ? undefined
      : { rule: 'resource-type', detail: `expected ${[...(codes ?? ['string'])].join()}` };
  }
  if (node.kind === 'number') return findNumberProblem(node.source, form, kind.name);
  if (node.kind === 'string' && form.type === 'string') return findTextProblem(node.value, slot, form);
  return node.kind === form.type ? undefined : createTypeProblem(form.type);
}

function createTypeProblem(expected: string): FormatProblem {
  return { rule: 'schema-type', detail: `expected ${expected}` };
}

function findNumberProblem(
  source: string,
  { type, minimum, maximum }: PrimitiveForm,
  name: string,
): FormatProblem | undefined {
  if (type === 'number') return undefined;
  const value = Number(source);
  if (type !== 'integer' || (Number.isFinite(value) && value % 1 !== 0)) return createTypeProblem(type);
  const outside = value < (minimum ?? value) || value > (maximum ?? value);
  // An integer is written without a point and without an exponent.
  return outside || /[.eE]/.test(source) ? { rule: 'schema-primitive', detail: name } : undefined;
}

function findTextProblem(
  value: string,
  { kind, codes }: ElementSlot,
  { pattern }: PrimitiveForm,
): FormatProblem | undefined {
  if (codes) return codes.has(value) ? undefined : createCodeProblem([...codes]);
  if (pattern === undefined || pattern.test(value)) return undefined;
  const isTime = timeTypes.has(kind.name) && timeWithoutZone.test(value);
  return { rule: isTime ? 'date-time-zone' : 'schema-primitive', detail: kind.name };
}

/**
 * Creates the problem of a code that is not allowed. The sentence lists the first allowed codes, then an
 * ellipsis.
 */
function createCodeProblem(codes: readonly string[]): FormatProblem {
  const detail =
    codes.length > maxDetailCodes ? `one of ${codes.length} codes` : `one of ${codes.join(', ')}`;
  const listedCodes = codes.length > maxSentenceCodes ? [...codes.slice(0, maxSentenceCodes), '…'] : codes;
  return { rule: 'schema-code', detail, name: `(${formatList(listedCodes, 'unit')})` };
}
