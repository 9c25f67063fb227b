import type { JsonArray, JsonMember, JsonNode, JsonObject, JsonString } from '../../json/node.ts';
import { maxDepth } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import type { Judge, Kind, Members, Report, Rule, Slot, Surroundings } from '../../types/definition/rule.ts';
import { findingOf, type Finding } from './finding.ts';
import { judgesOn, kindOf, unknownKind } from './kinds.ts';
import { ruleOf } from './rules.ts';

const nowhere: Slot = { name: '', kind: unknownKind, choice: '', targets: undefined };
const wholeNumbers = new Set(['integer', 'positiveInt', 'unsignedInt']);
const underscore = 0x5f;
const numberSign = 0x23;
/** Rules on values of a trait rather than of a type: most values have none, and so cost nothing. */
const traits = {
  sparse: judgesOn('sparse'),
  paired: judgesOn('paired'),
  choosing: judgesOn('choosing'),
  escaped: judgesOn('escaped'),
};

/** The record as plain data, which the schema judges, and what the rules found on the way through it. */
export interface Visited {
  readonly value: unknown;
  readonly findings: Finding[];
  /** The first midnight at which the calendar alone changes the findings; undefined where it never does. */
  readonly judgeAgain: number | undefined;
}

/** Walks the record once, noting as many findings as `most`: turns nodes into values and asks the rules of each element's type, children first. */
export function visit(record: JsonObject, type: ResourceType, today: string, most: number): Visited {
  const visitor = new Visitor(type, today, containedIds(record), most);
  const value = visitor.node(record, { ...nowhere, kind: kindOf(type) });
  return { value, findings: visitor.findings, judgeAgain: visitor.judgeAgain };
}

function containedIds(record: JsonObject): Set<string> {
  const ids = new Set<string>();
  const contained = record.members.find(({ key }) => key === 'contained')?.value;
  if (contained?.kind !== 'array') return ids;
  for (const item of contained.items) {
    const id = item.kind === 'object' ? item.members.find(({ key }) => key === 'id')?.value : undefined;
    // An id with the # of a reference is a fault of its own; its references are sound.
    if (id?.kind === 'string') ids.add(id.value.replace(/^#/, ''));
  }
  return ids;
}

class Visitor implements Surroundings {
  readonly findings: Finding[] = [];
  judgeAgain: number | undefined;
  readonly today: string;
  readonly contained: ReadonlySet<string>;
  readonly fragments = new Set<string>();
  targets: readonly string[] | undefined;
  kind: Kind = unknownKind;
  private readonly type: ResourceType;
  private readonly most: number;
  private readonly path: (string | number)[] = [];
  private rule: Rule | undefined;

  constructor(type: ResourceType, today: string, contained: ReadonlySet<string>, most: number) {
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
        return this.number(node.source, slot.kind);
      case 'boolean':
        return node.value;
      case 'null':
        return null;
    }
  }

  private object(node: JsonObject, { kind, targets }: Slot): Members {
    const element: Record<string, unknown> = {};
    let choices = 0;
    let paired = false;
    for (const { key, value } of node.members) {
      const slot = kind.slots.get(key) ?? nowhere;
      if (slot.choice !== '') choices += 1;
      paired ||= mayPair(key, value);
      this.path.push(key);
      if (value.kind === 'null' || isEmpty(value)) this.add(ruleOf('empty'), []);
      const child = this.node(value, slot);
      this.path.pop();
      if (slot.name !== '') element[slot.name] = child;
      // A member of this name would change the object's prototype; the reader of records refuses it.
      else if (key !== '__proto__') element[key] = child;
    }
    this.kind = kind;
    this.targets = targets;
    if (node.members.length < 2) this.ask(traits.sparse, element);
    if (choices > 1) this.ask(traits.choosing, element);
    if (paired) this.ask(traits.paired, element);
    this.ask(kind.judges, element);
    return element;
  }

  private array({ items }: JsonArray, slot: Slot): unknown[] {
    const values: unknown[] = [];
    // Padding stands beside a sibling, which an array inside an array has not.
    const inner = typeof this.path.at(-1) === 'number';
    for (const item of items) {
      this.path.push(values.length);
      if (isEmpty(item) || (inner && item.kind === 'null')) this.add(ruleOf('empty'), []);
      values.push(this.node(item, slot));
      this.path.pop();
    }
    return values;
  }

  private text({ value, source }: JsonString, kind: Kind): string {
    if (value.charCodeAt(0) === numberSign) this.fragments.add(value);
    // Escapes alone make the source longer than the value and its quotes.
    if (source.length !== value.length + 2) this.ask(traits.escaped, value);
    // A text where an object belongs is a fault of type alone.
    if (!kind.complex) this.ask(kind.judges, value);
    return value;
  }

  private number(source: string, { name }: Kind): number {
    if (wholeNumbers.has(name) && /[.eE]/.test(source)) this.add(ruleOf('schema-primitive'), [], name);
    return Number(source);
  }

  private tooDeep(): null {
    this.add(ruleOf('depth'), []);
    return null;
  }

  private ask(judges: readonly Judge[], value: Members | string): void {
    for (const { rule, check, changes } of judges) {
      this.rule = rule;
      check(value, this.report, this);
      const day = changes?.(value, this);
      if (day !== undefined) this.judgeAgain = Math.min(day, this.judgeAgain ?? day);
    }
  }

  private readonly report: Report = (tokens = [], detail) => {
    if (this.rule) this.add(this.rule, tokens, detail);
  };

  private add(rule: Rule, tokens: readonly (string | number)[], detail?: string): void {
    if (this.findings.length >= this.most) return;
    this.findings.push(findingOf(rule, this.type, [...this.path, ...tokens].map(String), detail));
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
