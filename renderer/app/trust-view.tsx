import { Tabs } from '@mantine/core';
import { trustPartOf, trustParts, type TrustPart } from '../../core/app/views.ts';
import { useWorkbenchActions } from '../platform/workbench-actions.ts';
import { text } from '../ui/text.ts';
import frame from '../ui/view.module.css';
import { viewOf } from './views.tsx';

interface TrustRoomProps {
  readonly part: TrustPart;
  readonly front: boolean;
}

/** The room Trust: who did what, what is damaged, what is kept of the records, and who gets in. */
export function TrustView({ part, front }: TrustRoomProps) {
  const { openView } = useWorkbenchActions();
  return (
    <Tabs
      value={part}
      onChange={(value) => {
        const chosen = value === null ? undefined : trustPartOf(value);
        if (chosen) openView(chosen);
      }}
      className={frame.view}
    >
      <Tabs.List aria-label={text.views.trust} className={frame.parts}>
        {trustParts.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {text.views[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {trustParts.map((one) => {
        const Component = viewOf(one)?.component;
        return (
          // What was filtered and where one stood in a part stays while another is in front.
          <Tabs.Panel key={one} value={one} className={frame.panel}>
            {Component && <Component front={front && one === part} />}
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}
