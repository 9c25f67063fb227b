import { Button, Radio } from '@mantine/core';
import { useState } from 'react';
import { text } from '../../ui/text.ts';
import styles from './data.module.css';
import type { ImportLog } from './import-log.ts';
import { imports, type StoreChoice } from './import-run.ts';
import type { ImportState } from './import-state.ts';

const messages = text.data.import;
const words = messages.choice;

/** The import after a dry run: what to store, and one button with the number of records. */
export function StoreChoices({ state, log }: { readonly state: ImportState; readonly log: ImportLog }) {
  const [chosen, setChosen] = useState<StoreChoice>('good');
  const goodCount = log.count('stored');
  const flaggedCount = goodCount + log.storableCount;
  const relatedCount = log.count('kept') + log.count('replaced');
  const replacedCount = log.count('replaced');
  const choices: readonly (readonly [choice: StoreChoice, label: string, count: number])[] = [
    ['good', words.good(goodCount), goodCount],
    ...(log.storableCount > 0 && state.options.level !== 'off'
      ? [['flagged', words.flagged(flaggedCount), flaggedCount] as const]
      : []),
    ...(replacedCount > 0 ? [['new', words.new(goodCount), goodCount] as const] : []),
  ];
  const [choice, , count] = choices.find(([candidate]) => candidate === chosen) ??
    choices[0] ?? ['good', '', 0];
  const notStorable = log.count('refused') - log.storableCount;
  const canImport = flaggedCount + relatedCount > 0;
  return (
    <div className={styles.choice}>
      {!canImport && <p>{words.noneGood}</p>}
      {canImport && log.count('refused') === 0 && goodCount > 0 && <p>{words.allGood(goodCount)}</p>}
      {canImport && (
        <Radio.Group
          label={words.legend}
          value={choice}
          onChange={(value) => {
            const [selected = 'good'] = choices.find(([candidate]) => candidate === value) ?? [];
            setChosen(selected);
          }}
        >
          <div className={styles.radios}>
            {choices.map(([value, label]) => (
              <Radio key={value} size="xs" value={value} label={label} />
            ))}
          </div>
        </Radio.Group>
      )}
      {notStorable > 0 && <p>{words.notStorable(notStorable)}</p>}
      <div className={styles.row}>
        {canImport && (
          <Button variant="filled" onClick={() => imports.startChoice(choice)}>
            {messages.importRecords(count)}
          </Button>
        )}
        <Button onClick={() => imports.start(true)}>{messages.dryRunAgain}</Button>
        <Button onClick={() => imports.dispatch({ type: 'reopened' })}>{messages.changeFiles}</Button>
      </div>
    </div>
  );
}
