import { Menu } from '@mantine/core';
import { IconWand } from '@tabler/icons-react';
import { useState } from 'react';
import { fixOf } from '../../../../core/fhir/fixes/fixes.ts';
import { labelOfMany } from '../../../../core/fhir/fixes/loss.ts';
import type { TextFix } from '../../../../core/fhir/fixes/offers.ts';
import { repairForeignSyntax } from '../../../../core/json/foreign-syntax.ts';
import type { Issue } from '../../../../core/fhir/judgement.ts';
import { applyToAll, createFixTeller } from '../../../platform/fixes.ts';
import { modelAt } from '../../../platform/monaco-loader.ts';
import { replaceModelText } from '../../../platform/monaco-text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useAnnounce } from '../../../ui/status-store.ts';
import { text } from '../../../ui/text.ts';
import styles from './inspector.module.css';

const words = text.fixes;
const tell = createFixTeller();

interface FixMenuProps {
  readonly modelPath: string;
  readonly issue: Issue;
}

/** Corrects what stands in the text instead of JSON, where only one correction is possible. */
export function SyntaxRepairButton({ modelPath, issue }: FixMenuProps) {
  const announce = useAnnounce();
  const repair = repairForeignSyntax(modelAt(modelPath)?.getValue() ?? '', issue.start);
  if (!repair) return null;
  return (
    <IconButton
      label={repair.label}
      className={styles.fix ?? ''}
      onClick={() => {
        replaceModelText(modelPath, repair.text);
        announce(words.done(repair.label));
      }}
    >
      <IconWand size={16} />
    </IconButton>
  );
}

/** What can be done at an issue, here and at all of its kind; or why nothing can. */
export function FixMenu({ modelPath, issue }: FixMenuProps) {
  const { rule, pointer, expression } = issue;
  const announce = useAnnounce();
  const [offers, setOffers] = useState<readonly TextFix[]>();
  const fix = fixOf(rule);
  if (!fix || pointer === undefined) return null;
  const repeated = offers?.filter(({ count }) => count > 1) ?? [];

  async function look() {
    setOffers(undefined);
    const answer = await tell(modelPath, { at: [{ rule, pointer: pointer ?? '' }] });
    setOffers(answer?.offers ?? []);
  }

  async function everywhere(id: string) {
    const mended = await applyToAll(modelPath, id);
    announce(mended > 0 ? words.doneIn(mended) : words.notDone);
  }

  return (
    <Menu position="bottom-end" onOpen={() => void look()}>
      <Menu.Target>
        <IconButton label={words.of(expression)} className={styles.fix ?? ''}>
          <IconWand size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        {!offers && <Menu.Label role="status">{words.working}</Menu.Label>}
        {offers?.length === 0 && <Menu.Label className={styles.why ?? ''}>{fix.none}</Menu.Label>}
        {offers?.map((offer) => (
          <Menu.Item
            key={offer.id}
            onClick={() => {
              replaceModelText(modelPath, offer.text);
              announce(words.done(offer.label));
            }}
          >
            {offer.label}
          </Menu.Item>
        ))}
        {repeated.length > 0 && <Menu.Divider />}
        {repeated.map((offer) => (
          <Menu.Item key={offer.id} onClick={() => void everywhere(offer.id)}>
            {words.inAll(labelOfMany(offer), offer.count)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
