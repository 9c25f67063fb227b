/** Evaluates custom checks (core/app/checks.ts) on records. */
import fhirpath from 'fhirpath';
import { expressionNames, type CheckOutcome, type CheckExpressions } from '../app/checks.ts';
import type { Message } from '../text/message.ts';
import { formatPointer } from '../json/pointer.ts';
import { compile, faultOf, messageOf } from './engine.ts';

/** Maximum count of elements in the finding of one check on one record. */
const maxPointers = 20;

/** The part of the engine's node that locates it. */
interface LocatedNode {
  fullPropertyName(): string | undefined;
}

/**
 * Compiles a check for parsed records. It applies if `applies` is true. It holds if `holds` returns true or
 * any other single value, as FHIR invariants do. An empty result is false. Several values skip the record.
 *
 * @throws Error if an expression cannot be parsed.
 */
export function compileCheck({
  type,
  applies,
  holds: holdsExpression,
  points,
}: CheckExpressions): (record: unknown) => CheckOutcome {
  const evaluateApplies = applies === undefined ? undefined : compile(applies);
  const evaluateHolds = compile(holdsExpression);
  const evaluatePoints = points === undefined ? undefined : compile(points);
  return (record) => {
    if (!isOf(record, type)) return { is: 'none' };
    const context = { resource: record };
    try {
      if (evaluateApplies && !isTrue(evaluateApplies(record, context), 'applies')) return { is: 'none' };
      if (isTrue(evaluateHolds(record, context), 'holds')) return { is: 'holds' };
      const pointers = evaluatePoints ? pointersOf(evaluatePoints(record, context), record) : [];
      return { is: 'broken', pointers: pointers.length > 0 ? pointers : [''] };
    } catch (error) {
      return { is: 'skipped', why: `${messageOf(error)}.` };
    }
  };
}

/**
 * Returns the problems of a check's expressions, each with its name.
 *
 * @param onRead - Receives the index of each expression before it is parsed.
 */
export function faultsOf(
  question: CheckExpressions,
  onRead: (index: number) => void,
): readonly (readonly [name: string, fault: Message])[] {
  return expressionNames.flatMap((name, index) => {
    const expression = question[name];
    onRead(index);
    const fault = expression === undefined ? undefined : faultOf(expression);
    return fault === undefined ? [] : [[name, fault] as const];
  });
}

function isOf(record: unknown, type: string): record is Readonly<Record<string, unknown>> {
  return (
    typeof record === 'object' && record !== null && 'resourceType' in record && record.resourceType === type
  );
}

function isTrue(results: readonly unknown[], name: string): boolean {
  if (results.length > 1) throw new Error(`${name} returns ${results.length} values; one is expected`);
  if (results.length === 0) return false;
  const [value] = fhirpath.resolveInternalTypes(results) as readonly unknown[];
  return value !== false;
}

/** Returns distinct JSON Pointers of elements. Values that the engine computed have none. */
function pointersOf(results: readonly unknown[], record: unknown): readonly string[] {
  const pointers = results
    .filter(isLocatedNode)
    .map((node) => pointerOf(node.fullPropertyName() ?? '', record));
  return [...new Set(pointers)].slice(0, maxPointers);
}

function isLocatedNode(result: unknown): result is LocatedNode {
  return typeof result === 'object' && result !== null && 'fullPropertyName' in result;
}

/**
 * Returns the JSON Pointer of a path such as `CarePlan.activity[0].detail.scheduled`, as far as the record
 * has it. The path names a choice element without its type; its member has the type.
 */
function pointerOf(path: string, record: unknown): string {
  const tokens: string[] = [];
  let node: unknown = record;
  for (const [, name = '', index] of path.matchAll(/(?:^|\.)([^.[]+)(?:\[(\d+)\])?/g)) {
    if (node === record && isOf(record, name)) continue;
    const memberName = memberNamed(node, name);
    if (memberName === undefined) break;
    tokens.push(memberName);
    node = (node as Readonly<Record<string, unknown>>)[memberName];
    if (!Array.isArray(node)) continue;
    tokens.push(index ?? '0');
    node = (node as readonly unknown[])[Number(index ?? 0)];
  }
  return formatPointer(tokens);
}

function memberNamed(node: unknown, name: string): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  if (Object.hasOwn(node, name)) return name;
  return Object.keys(node).find((key) => key.startsWith(name) && /^[A-Z]/.test(key.slice(name.length)));
}
