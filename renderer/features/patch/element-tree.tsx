import { TextInput } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { expressionAt } from '../../../core/fhir/expression.ts';
import { serverOwned } from '../../../core/fhir/record.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { text } from '../../ui/text.ts';
import { excerpt } from './patch-rows.ts';
import { suggestPaths, treeRows, type TreeRow } from './patch-paths.ts';
import frame from '../../ui/view.module.css';
import styles from './tree.module.css';

interface ElementTreeProps {
  readonly record: JsonNode;
  readonly type: ResourceType;
  readonly paths: readonly string[];
  readonly onPick: (path: string) => void;
}

/** The record's own tree: arrows move, open and close, Enter picks the element for an operation. */
export function ElementTree({ record, type, paths, onPick }: ElementTreeProps) {
  const [filter, setFilter] = useState('');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const searching = filter.trim() !== '';
  const rows = useMemo(
    () =>
      searching
        ? suggestPaths(paths, filter, type).map((path) => flatRow(path, type))
        : treeRows(record, expanded),
    [searching, paths, filter, type, record, expanded],
  );
  const current = Math.min(at, rows.length - 1);

  function toggle(row: TreeRow, open: boolean) {
    setExpanded((before) => {
      const next = new Set(before);
      if (open) next.add(row.path);
      else next.delete(row.path);
      return next;
    });
  }

  function moveTo(index: number) {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setAt(next);
    const line = list.current?.children[next];
    if (line instanceof HTMLElement) line.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const row = rows[current];
    if (!row) return;
    const act = keyAction(event.key, row);
    if (!act) return;
    event.preventDefault();
    switch (act) {
      case 'pick':
        pick(row);
        return;
      case 'open':
      case 'close':
        toggle(row, act === 'open');
        return;
      case 'parent':
        moveTo(rows.findLastIndex(({ depth }, index) => index < current && depth < row.depth));
        return;
      case 'child':
      case 'next':
        moveTo(current + 1);
        return;
      case 'previous':
        moveTo(current - 1);
        return;
      case 'first':
        moveTo(0);
        return;
      case 'last':
        moveTo(rows.length - 1);
    }
  }

  function pick(row: TreeRow) {
    if (!serverOwned.has(row.path)) onPick(row.path);
  }

  return (
    <section className={frame.side} aria-label={text.patch.tree}>
      <TextInput
        aria-label={text.patch.treeFilter}
        placeholder={text.patch.treeFilter}
        className={styles.filter ?? ''}
        spellCheck={false}
        autoComplete="off"
        value={filter}
        onChange={({ currentTarget }) => {
          setFilter(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            moveTo(0);
          }
        }}
      />
      {rows.length === 0 && <p className={styles.none}>{text.patch.treeNone}</p>}
      <ul ref={list} role="tree" aria-label={text.patch.tree} className={styles.tree} onKeyDown={onKeyDown}>
        {rows.map((row, index) => (
          <li
            key={row.path}
            role="treeitem"
            aria-level={row.depth + 1}
            aria-label={row.name}
            aria-expanded={row.expandable ? row.expanded : undefined}
            aria-selected={index === current}
            aria-disabled={serverOwned.has(row.path) || undefined}
            tabIndex={index === current ? 0 : -1}
            title={serverOwned.has(row.path) ? text.patch.byServer : row.path}
            style={{ paddingLeft: 8 + row.depth * 12 }}
            onFocus={() => setAt(index)}
            onClick={() => pick(row)}
          >
            {row.expandable ? (
              <span
                className={styles.chevron}
                data-open={row.expanded}
                title={text.patch.expand(row.name)}
                onClick={(event) => {
                  event.stopPropagation();
                  toggle(row, !row.expanded);
                }}
              >
                <IconChevronRight size={14} aria-hidden />
              </span>
            ) : (
              <span className={styles.chevron} />
            )}
            <span className={styles.name}>{row.name}</span>
            <span className={styles.excerpt}>{searching ? row.path : sizeOf(row)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A line of the filtered list, which has no levels. */
function flatRow(path: string, type: ResourceType): TreeRow {
  const name = expressionAt(type, parsePointer(path) ?? []).slice(type.length + 1);
  return { path, depth: 0, name, expandable: false, expanded: false };
}

function sizeOf({ node }: TreeRow): string {
  if (!node) return text.patch.notSet;
  if (node.kind === 'array') return text.patch.items(node.items.length);
  if (node.kind === 'object') return text.patch.members(node.members.length);
  return (excerpt(node) ?? '').slice(0, 80);
}

type KeyAct = 'pick' | 'open' | 'close' | 'parent' | 'child' | 'next' | 'previous' | 'first' | 'last';

/** The keys of a tree (WAI-ARIA Authoring Practices, tree view). */
function keyAction(key: string, { expandable, expanded }: TreeRow): KeyAct | undefined {
  switch (key) {
    case 'Enter':
    case ' ':
      return 'pick';
    case 'ArrowDown':
      return 'next';
    case 'ArrowUp':
      return 'previous';
    case 'Home':
      return 'first';
    case 'End':
      return 'last';
    case 'ArrowRight':
      return expandable ? (expanded ? 'child' : 'open') : undefined;
    case 'ArrowLeft':
      return expanded ? 'close' : 'parent';
    default:
      return undefined;
  }
}
