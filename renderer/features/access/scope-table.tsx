import { Checkbox } from '@mantine/core';
import { permissions } from '../../../core/app/scopes.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { text } from '../../ui/text.ts';
import { toggled, type ScopeChoice } from './scope-choice.ts';
import styles from './access.module.css';

const { form: words } = text.access;

interface ScopeTableProps {
  readonly choice: ScopeChoice;
  readonly onChange: (choice: ScopeChoice) => void;
}

/** Table of scopes with a row for each type and a checkbox for each letter. */
export function ScopeTable({ choice, onChange }: ScopeTableProps) {
  return (
    <table className={styles.scopes}>
      <thead>
        <tr>
          <th scope="col">{words.type}</th>
          {permissions.map((letter) => (
            <th key={letter} scope="col">
              {words.letters[letter]} <code className="mono">{letter}</code>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {resourceTypes.map((type) => (
          <tr key={type}>
            <th scope="row">{type}</th>
            {permissions.map((letter) => (
              <td key={letter}>
                <Checkbox
                  size="xs"
                  aria-label={words.letterOf[letter](type)}
                  disabled={choice.everything}
                  checked={choice.everything || choice.letters[type].includes(letter)}
                  onChange={() => onChange(toggled(choice, type, letter))}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
