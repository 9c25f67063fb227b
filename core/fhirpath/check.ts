/** Asks a steward's check of a record (core/app/checks.ts). */
import fhirpath from 'fhirpath';
import { expressionNames, type Asked, type CheckQuestion } from '../app/checks.ts';
import { formatPointer } from '../json/pointer.ts';
import { compile, faultOf, messageOf } from './engine.ts';

/** Elements that the findings of one check are on in one record, at most. */
const mostPointers = 20;

/** The part of the engine's node that tells where it stands. */
interface Placed {
  fullPropertyName(): string | undefined;
}

/**
 * A check that can be asked of parsed records. It applies where `applies` gives true, and holds where `holds` gives true or
 * any other single value, as an invariant of FHIR does; nothing is not true. What gives several values cannot be asked.
 *
 * @throws Error where an expression cannot be parsed.
 */
export function compileCheck({ type, applies, holds, points }: CheckQuestion): (record: unknown) => Asked {
  const appliesTo = applies === undefined ? undefined : compile(applies);
  const holdsIn = compile(holds);
  const pointsAt = points === undefined ? undefined : compile(points);
  return (record) => {
    if (!isOf(record, type)) return { is: 'none' };
    const context = { resource: record };
    try {
      if (appliesTo && !isTrue(appliesTo(record, context), 'applies')) return { is: 'none' };
      if (isTrue(holdsIn(record, context), 'holds')) return { is: 'holds' };
      const places = pointsAt ? pointersOf(pointsAt(record, context), record) : [];
      return { is: 'broken', pointers: places.length > 0 ? places : [''] };
    } catch (error) {
      return { is: 'skipped', why: `${messageOf(error)}.` };
    }
  };
}

/** Returns faults of a check's expressions, by the name of each; `onRead` is told the number of each before it is parsed. */
export function faultsOf(
  question: CheckQuestion,
  onRead: (at: number) => void,
): readonly (readonly [name: string, fault: string])[] {
  return expressionNames.flatMap((name, at) => {
    const expression = question[name];
    onRead(at);
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
  if (results.length > 1) throw new Error(`${name} gives ${results.length} values, where one is expected`);
  if (results.length === 0) return false;
  const [value] = fhirpath.resolveInternalTypes(results) as readonly unknown[];
  return value !== false;
}

/** JSON Pointers of elements, each once; what the engine made by itself stands nowhere. */
function pointersOf(results: readonly unknown[], record: unknown): readonly string[] {
  const found = results.filter(isPlaced).map((node) => pointerOf(node.fullPropertyName() ?? '', record));
  return [...new Set(found)].slice(0, mostPointers);
}

function isPlaced(result: unknown): result is Placed {
  return typeof result === 'object' && result !== null && 'fullPropertyName' in result;
}

/**
 * The JSON Pointer of `CarePlan.activity[0].detail.scheduled`: as far as the record goes along. A choice is named without its
 * type, which its member's name has.
 */
function pointerOf(path: string, record: unknown): string {
  const tokens: string[] = [];
  let node: unknown = record;
  for (const [, name = '', index] of path.matchAll(/(?:^|\.)([^.[]+)(?:\[(\d+)\])?/g)) {
    if (node === record && isOf(record, name)) continue;
    const own = memberNamed(node, name);
    if (own === undefined) break;
    tokens.push(own);
    node = (node as Readonly<Record<string, unknown>>)[own];
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
