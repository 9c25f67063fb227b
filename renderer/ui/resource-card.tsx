import { Button } from '@mantine/core';
import { useState } from 'react';
import { ageOn } from '../../core/fhir/card/age.ts';
import {
  diedUndated,
  resourceCardOf,
  type ResourceCard,
  type ResourceFact,
} from '../../core/fhir/card/resource-card.ts';
import { format } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';
import styles from './resource-card.module.css';
import { text } from './text.ts';
import { ageWords } from './text/age.ts';
import { localDay } from './time.ts';
import { useCopy } from './use-copy.ts';

const words = text.card;

/** A resource that is no record, to be shown. */
export interface ReadResource {
  readonly card: ResourceCard;
  /** As it is held, laid out for reading. */
  readonly json: string;
}

/** The text of a resource, read; undefined where it is no JSON. */
export function readResource(resource: string): ReadResource | undefined {
  try {
    const { root } = scan(resource);
    return { card: resourceCardOf(root), json: format(root) };
  } catch {
    return undefined;
  }
}

interface ResourceFactsProps {
  readonly facts: readonly ResourceFact[];
  /** In running lines instead of one below the other. */
  readonly inline?: boolean;
}

/** What a resource says of itself; with a birth date the age, at death where there was one. */
export function ResourceFacts({ facts, inline = false }: ResourceFactsProps) {
  const died = facts.find(({ kind }) => kind === 'died')?.text;
  return (
    <dl className={inline ? styles.inline : styles.facts}>
      {facts.map(({ kind, text: value }) => (
        <div key={kind}>
          <dt>{words.facts[kind]}</dt>
          <dd className={kind === 'id' || kind === 'identifier' ? 'mono' : undefined}>
            {shownOf({ kind, text: value }, died)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function shownOf({ kind, text: value }: ResourceFact, died: string | undefined): string {
  if (kind === 'died' && value === diedUndated) return words.diedUndated;
  if (kind !== 'born' || died === diedUndated) return value;
  const age = ageOn(value, died ?? localDay());
  return age ? `${value} · ${ageWords(age, died !== undefined)}` : value;
}

/** The resource as it is held, behind a button. */
export function ResourceJson({ json }: { readonly json: string }) {
  const copy = useCopy();
  const [open, setOpen] = useState(false);
  return (
    <div>
      <div className={styles.foot}>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {words.json}
        </Button>
        {open && <Button onClick={() => copy(json, words.copied, words.notCopied)}>{words.copy}</Button>}
      </div>
      {open && (
        // A scrolling region is reached by the keyboard.
        <pre className={styles.json} tabIndex={0} role="group" aria-label={words.json}>
          {json}
        </pre>
      )}
    </div>
  );
}
