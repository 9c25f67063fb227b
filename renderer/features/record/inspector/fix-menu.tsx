import { Menu } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { useState } from 'react';
import { fixOf } from '../../../../core/fhir/fixes/fixes.ts';
import { labelOfMany } from '../../../../core/fhir/fixes/loss.ts';
import type { TextFix } from '../../../../core/fhir/fixes/offers.ts';
import { repairForeignSyntax } from '../../../../core/json/foreign-syntax.ts';
import type { Issue } from '../../../../core/fhir/text-validation.ts';
import { isMac } from '../../../platform/desktop.ts';
import { applyToAll, createFixNotifier } from '../../../platform/fixes.ts';
import { modelAt } from '../../../platform/monaco-loader.ts';
import { replaceText } from '../../../platform/text-binding.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { formatKeys } from '../../../ui/keys.ts';
import { useAnnounce } from '../../../ui/status-store.ts';
import { text } from '../../../ui/text.ts';
import styles from './inspector.module.css';

const messages = text.fixes;
const requestFixes = createFixNotifier();

interface FixMenuProps {
  readonly modelPath: string;
  readonly issue: Issue;
}

/** Button that replaces foreign syntax in the text by JSON. Shown only if one correction is possible. */
export function SyntaxRepairButton({ modelPath, issue }: FixMenuProps) {
  const announce = useAnnounce();
  const repair = repairForeignSyntax(modelAt(modelPath)?.getValue() ?? '', issue.start);
  if (!repair) return null;
  return (
    <IconButton
      label={repair.label}
      className={styles.fix ?? ''}
      onClick={() => {
        replaceText(modelPath, repair.repairedText);
        announce(messages.done(repair.label));
      }}
    >
      <IconWand size={16} />
    </IconButton>
  );
}

/** Menu of the fixes of an issue, here and everywhere in the record. States the reason if there is none. */
export function FixMenu({ modelPath, issue }: FixMenuProps) {
  const { rule, pointer, expression } = issue;
  const announce = useAnnounce();
  const [fixes, setFixes] = useState<readonly TextFix[]>();
  const ruleFix = fixOf(rule);
  if (!ruleFix || pointer === undefined) return null;
  const repeatedFixes = fixes?.filter(({ count }) => count > 1) ?? [];

  async function loadFixes() {
    setFixes(undefined);
    const response = await requestFixes(modelPath, { findings: [{ rule, pointer: pointer ?? '' }] });
    setFixes(response?.offers ?? []);
  }

  async function fixAll(id: string) {
    const fixedCount = await applyToAll(modelPath, id);
    announce(fixedCount > 0 ? messages.doneIn(fixedCount, formatKeys('Mod+Z', isMac)) : messages.notDone);
  }

  return (
    <Menu position="bottom-end" onOpen={() => void loadFixes()}>
      <Menu.Target>
        <IconButton label={messages.of(expression)} className={styles.fix ?? ''}>
          <IconWand size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {!fixes && <Menu.Label role="status">{messages.working}</Menu.Label>}
        {fixes?.length === 0 && (
          <Menu.Label className={styles.why ?? ''}>{ruleFix.reasonWithoutOptions}</Menu.Label>
        )}
        {fixes?.map((fix) => (
          <Menu.Item
            key={fix.id}
            onClick={() => {
              replaceText(modelPath, fix.fixedText);
              announce(messages.doneAt(expression, fix.label));
            }}
          >
            {fix.label}
          </Menu.Item>
        ))}
        {repeatedFixes.length > 0 && <Menu.Divider />}
        {repeatedFixes.map((fix) => (
          <Menu.Item key={fix.id} onClick={() => void fixAll(fix.id)}>
            {messages.inAll(labelOfMany(fix), fix.count)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
