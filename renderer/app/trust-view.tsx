import { Tabs } from '@mantine/core';
import { trustPartOf, trustParts, type TrustPart } from '../../core/app/views.ts';
import { useWorkbenchActions } from '../platform/workbench-actions.ts';
import { text } from '../ui/text.ts';
import frame from '../ui/view.module.css';
import { findView } from './views.tsx';

/** The Trust view with its parts: audit log, damage, backups and access. */
export function TrustView({ part, isActive }: { readonly part: TrustPart; readonly isActive: boolean }) {
  const { openView } = useWorkbenchActions();
  return (
    <Tabs
      value={part}
      onChange={(value) => {
        const selectedPart = value === null ? undefined : trustPartOf(value);
        if (selectedPart) openView(selectedPart);
      }}
      className={frame.view}
    >
      <Tabs.List aria-label={text.views.trust} className={frame.parts}>
        {trustParts.map((trustPart) => (
          <Tabs.Tab key={trustPart} value={trustPart}>
            {text.views[trustPart]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {trustParts.map((trustPart) => {
        const Component = findView(trustPart)?.component;
        return (
          // Inactive parts stay mounted and keep their filters and scroll positions.
          <Tabs.Panel key={trustPart} value={trustPart} className={frame.panel}>
            {Component && <Component isActive={isActive && trustPart === part} />}
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}
