import { TextInput } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { expressionAt } from '../../../core/fhir/validation/finding.ts';
import { serverOwned } from '../../../core/fhir/record.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { serializeNode, type JsonNode } from '../../../core/json/node.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { text } from '../../ui/text.ts';
import { suggestPaths, treeRows, type TreeRow } from './patch-paths.ts';
import frame from '../../ui/view.module.css';
import styles from './tree.module.css';

interface ElementTreeProps {
  readonly record: JsonNode;
  readonly type: ResourceType;
  readonly paths: readonly string[];
  readonly onPick: (path: string) => void;
}

/** Tree of the record. Arrow keys move, open and close; Enter picks an element for an operation. */
export function ElementTree({ record, type, paths, onPick }: ElementTreeProps) {
  const { filter, setFilter, searching, rows, toggle } = useRows({ record, type, paths });
  const [currentIndex, setCurrentIndex] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const current = Math.min(currentIndex, rows.length - 1);

  function moveTo(index: number) {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setCurrentIndex(next);
    const line = list.current?.children[next];
    if (line instanceof HTMLElement) line.focus();
  }

  function pick({ path }: TreeRow) {
    if (!serverOwned.has(path)) onPick(path);
  }

  function onKeyDown(event: KeyboardEvent) {
    const row = rows[current];
    const action = keyAction(event.key, rows, current);
    if (!row || action === undefined) return;
    event.preventDefault();
    if (action === 'pick') pick(row);
    else if (action === 'toggle') toggle(row);
    else moveTo(action);
  }

  return (
    <section className={frame.side} aria-label={text.patch.tree}>
      <TreeFilter
        value={filter}
        onChange={(newFilter) => {
          setFilter(newFilter);
          setCurrentIndex(0);
        }}
        onLeave={() => moveTo(0)}
      />
      {rows.length === 0 && <p className={styles.none}>{text.patch.treeNone}</p>}
      <ul ref={list} role="tree" aria-label={text.patch.tree} className={styles.tree} onKeyDown={onKeyDown}>
        {rows.map((row, index) => (
          <TreeLine
            key={row.path}
            row={row}
            note={searching ? row.path : describeSize(row)}
            current={index === current}
            onFocus={() => setCurrentIndex(index)}
            onPick={() => pick(row)}
            onToggle={() => toggle(row)}
          />
        ))}
      </ul>
    </section>
  );
}

/** Returns the visible rows: open branches, or the matches of the filter. */
function useRows({ record, type, paths }: Omit<ElementTreeProps, 'onPick'>) {
  const [filter, setFilter] = useState('');
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const isSearching = filter.trim() !== '';
  const rows = useMemo(
    () =>
      isSearching
        ? suggestPaths(paths, filter, type).map((path) => flatRow(path, type))
        : treeRows(record, expanded),
    [isSearching, paths, filter, type, record, expanded],
  );
  const toggle = ({ path }: TreeRow) => setExpanded((previous) => toggleIn(previous, path));
  return { filter, setFilter, searching: isSearching, rows, toggle };
}

interface TreeFilterProps {
  readonly value: string;
  readonly onChange: (filter: string) => void;
  /** Moves the focus to the rows. */
  readonly onLeave: () => void;
}

function TreeFilter({ value, onChange, onLeave }: TreeFilterProps) {
  return (
    <TextInput
      aria-label={text.patch.treeFilter}
      placeholder={text.patch.treeFilter}
      className={styles.filter ?? ''}
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        onLeave();
      }}
    />
  );
}

interface TreeLineProps {
  readonly row: TreeRow;
  /** Size of the element, or its path in a filtered tree. */
  readonly note: string;
  readonly current: boolean;
  readonly onFocus: () => void;
  readonly onPick: () => void;
  readonly onToggle: () => void;
}

function TreeLine({ row, note, current, onFocus, onPick, onToggle }: TreeLineProps) {
  const { path, depth, name, expandable, expanded } = row;
  const isServerOwned = serverOwned.has(path);
  return (
    <li
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={expandable ? expanded : undefined}
      aria-selected={current}
      aria-disabled={isServerOwned || undefined}
      tabIndex={current ? 0 : -1}
      title={isServerOwned ? text.patch.byServer : path}
      style={{ paddingLeft: 8 + depth * 12 }}
      onFocus={onFocus}
      onClick={onPick}
    >
      {expandable ? (
        <span
          className={styles.chevron}
          data-open={expanded}
          aria-hidden
          title={text.patch.expand(name)}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <IconChevronRight size={14} aria-hidden />
        </span>
      ) : (
        <span className={styles.chevron} />
      )}
      <span className={styles.name}>{name}</span> <span className={styles.excerpt}>{note}</span>
    </li>
  );
}

/** Returns the open paths with one of them opened or closed. */
function toggleIn(open: ReadonlySet<string>, path: string): ReadonlySet<string> {
  return new Set(open.has(path) ? [...open].filter((openPath) => openPath !== path) : [...open, path]);
}

/** Returns a row of the filtered tree, which has no levels. */
function flatRow(path: string, type: ResourceType): TreeRow {
  const name = expressionAt(type, parsePointer(path) ?? []).slice(type.length + 1);
  return { path, depth: 0, name, expandable: false, expanded: false };
}

function describeSize({ node }: TreeRow): string {
  if (!node) return text.patch.notSet;
  if (node.kind === 'array') return text.patch.items(node.items.length);
  if (node.kind === 'object') return text.patch.members(node.members.length);
  return serializeNode(node).slice(0, 80);
}

/**
 * Handles the keys of a tree (WAI-ARIA Authoring Practices, tree view). Returns an action, or the index of the next
 * row.
 */
function keyAction(
  key: string,
  rows: readonly TreeRow[],
  rowIndex: number,
): 'pick' | 'toggle' | number | undefined {
  const { depth = 0, expandable = false, expanded = false } = rows[rowIndex] ?? {};
  switch (key) {
    case 'Enter':
    case ' ':
      return 'pick';
    case 'ArrowDown':
      return rowIndex + 1;
    case 'ArrowUp':
      return rowIndex - 1;
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      if (!expandable) return undefined;
      return expanded ? rowIndex + 1 : 'toggle';
    case 'ArrowLeft':
      if (expanded) return 'toggle';
      return rows.findLastIndex((row, index) => index < rowIndex && row.depth < depth);
    default:
      return undefined;
  }
}
