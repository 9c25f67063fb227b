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
import type { Judge, Kind, Members, Report, Rule, Slot, Surroundings } from '../../types/definition/rule.ts';
import { findingOf, type Finding } from './finding.ts';
import { formFault } from './forms.ts';
import { containedKind, isAnyResource, judgesOn, kindOf, plainSlot, unknownKind } from './kinds.ts';
import { ruleOf } from './rules.ts';
import { markupOf } from './xhtml.ts';

const underscore = 0x5f;
const numberSign = 0x23;
/** Rules on values of a trait rather than of a type: most values have none, and so cost nothing. */
const traits = {
  sparse: judgesOn('sparse'),
  paired: judgesOn('paired'),
  choosing: judgesOn('choosing'),
  escaped: judgesOn('escaped'),
};

/**
 * Walks the record once, noting as many findings as `most`: compares each element with its definition, turns nodes into
 * values and asks the rules of each element's type, children first. Contained resources are walked by their own types.
 */
export function visit(
  record: JsonObject,
  type: ResourceType,
  today: string,
  most: number,
): Pick<Visitor, 'findings' | 'judgeAgain'> {
  const visitor = new Visitor(type, today, containedTypes(record, type), most);
  visitor.node(record, { ...plainSlot, kind: kindOf(type) });
  return visitor;
}

function containedTypes(record: JsonObject, type: ResourceType): Map<string, string | undefined> {
  const types = new Map<string, string | undefined>([['', type]]);
  const contained = member(record, 'contained');
  for (const item of contained?.kind === 'array' ? contained.items : []) {
    const id = stringMember(item, 'id');
    // An id with the # of a reference is a fault of its own; its references are sound.
    const plain = id?.replace(/^#/, '');
    // Of two with one id, a reference says nothing of which.
    if (plain !== undefined)
      types.set(plain, types.has(plain) ? undefined : stringMember(item, 'resourceType'));
  }
  return types;
}

class Visitor implements Surroundings {
  readonly findings: Finding[] = [];
  /** The first midnight at which the calendar alone changes the findings; undefined where it never does. */
  judgeAgain: number | undefined;
  readonly today: string;
  readonly contained: ReadonlyMap<string, string | undefined>;
  readonly fragments = new Set<string>();
  readonly path: (string | number)[] = [];
  targets: readonly string[] | undefined;
  kind: Kind = unknownKind;
  /** The ids of the elements of the resource that is walked. */
  private ids = new Set<string>();
  private readonly type: ResourceType;
  private readonly most: number;
  private rule: Rule | undefined;

  constructor(
    type: ResourceType,
    today: string,
    contained: ReadonlyMap<string, string | undefined>,
    most: number,
  ) {
    this.type = type;
    this.most = most;
    this.today = today;
    this.contained = contained;
  }

  node(node: JsonNode, slot: Slot): unknown {
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

  private object(node: JsonObject, slot: Slot): Members {
    return isAnyResource(slot.kind) ? this.resource(node) : this.members(node, slot.kind, slot.targets);
  }

  /** A resource in another has its own type, and its own ids of elements. */
  private resource(node: JsonObject): Members {
    const kind = containedKind(stringMember(node, 'resourceType'));
    const outer = this.ids;
    this.ids = new Set();
    const resource = this.members(node, kind, undefined);
    this.ids = outer;
    return resource;
  }

  private members(node: JsonObject, kind: Kind, targets: readonly string[] | undefined): Members {
    const element: Record<string, unknown> = {};
    const { slots } = kind;
    const known = slots.size > 0 && !isAnyResource(kind);
    let choices = 0;
    let paired = false;
    for (const { key, value } of node.members) {
      const slot = slots.get(key) ?? plainSlot;
      if (slot.choice !== '') choices += 1;
      paired ||= mayPair(key, value);
      this.path.push(key);
      // Of what is empty, nothing else is worth saying.
      if (value.kind === 'null' || isEmpty(value)) this.add(ruleOf('empty'), []);
      else if (slot !== plainSlot) this.form(value, slot, false);
      else if (known && key !== '__proto__') this.add(ruleOf('schema-unknown'), []);
      const child = this.node(value, slot);
      this.path.pop();
      if (slot.name !== '') element[slot.name] = child;
      // A member of this name would change the object's prototype; the reader of records refuses it.
      else if (key !== '__proto__') element[key] = child;
    }
    if (kind.mandatory.length > 0 && node.members.length > 0) this.mandatory(kind, element);
    if (typeof element.id === 'string' && slots.has('id') && !slots.has('resourceType')) this.id(element.id);
    this.kind = kind;
    this.targets = targets;
    if (node.members.length < 2) this.ask(traits.sparse, element);
    if (choices > 1) this.ask(traits.choosing, element);
    if (paired) this.ask(traits.paired, element);
    // An object where a text belongs is a fault of type alone.
    if (!kind.form) this.ask(kind.judges, element);
    return element;
  }

  private array({ items }: JsonArray, slot: Slot): unknown[] {
    const values: unknown[] = [];
    // Padding stands beside a sibling, which an array inside an array has not.
    const inner = typeof this.path.at(-1) === 'number';
    const listed = slot.repeats && !inner;
    for (const item of items) {
      this.path.push(values.length);
      if (isEmpty(item) || (inner && item.kind === 'null')) this.add(ruleOf('empty'), []);
      else if (listed) this.form(item, slot, true);
      values.push(this.node(item, slot));
      this.path.pop();
    }
    return values;
  }

  private text({ value, source }: JsonString, kind: Kind): string {
    if (value.charCodeAt(0) === numberSign) this.fragments.add(value);
    // A picture or a link of a narrative refers to what the record contains (FHIR R4 narrative.html).
    if (kind.name === 'xhtml') for (const fragment of markupOf(value).fragments) this.fragments.add(fragment);
    // Escapes alone make the source longer than the value and its quotes.
    if (source.length !== value.length + 2) this.ask(traits.escaped, value);
    // A text where an object belongs is a fault of type alone.
    if (kind.form && kind.judges.length > 0) this.ask(kind.judges, value);
    return value;
  }

  private form(node: JsonNode, slot: Slot, listed: boolean): void {
    const fault = formFault(node, slot, listed);
    if (fault) this.add(ruleOf(fault.rule), [], fault.detail, fault.name);
  }

  private mandatory({ mandatory }: Kind, element: Members): void {
    for (const { name, names } of mandatory) {
      const stands = names.some((one) => element[one] !== undefined);
      if (!stands) this.add(ruleOf('schema-required'), [], name, name);
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

  private ask(judges: readonly Judge[], value: Members | string): void {
    // Beyond the last finding that is told, judging costs time alone.
    if (this.findings.length >= this.most) return;
    for (const { rule, check, changes } of judges) {
      this.rule = rule;
      check(value, this.report, this);
      const day = changes?.(value, this);
      if (day !== undefined) this.judgeAgain = Math.min(day, this.judgeAgain ?? day);
    }
  }

  private readonly report: Report = (tokens = [], detail, name) => {
    if (this.rule) this.add(this.rule, tokens, detail, name);
  };

  private add(rule: Rule, tokens: readonly (string | number)[], detail?: string, name?: string): void {
    if (this.findings.length >= this.most) return;
    this.findings.push(findingOf(rule, this.type, [...this.path, ...tokens].map(String), detail, name));
  }
}

/** FHIR R4 json.html: what is empty is left out. A null in an array may be padding; the rule sibling knows. */
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

/** Whether a member may belong to a pair of value and `_name` sibling: by its name, or by nulls that pad an array. */
function mayPair(key: string, value: JsonMember['value']): boolean {
  if (key.charCodeAt(0) === underscore) return true;
  return value.kind === 'array' && value.items.some(({ kind }) => kind === 'null');
}
