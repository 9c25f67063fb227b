import { ActionIcon, Tooltip, type ActionIconProps } from '@mantine/core';

interface IconButtonProps extends Pick<ActionIconProps, 'disabled' | 'children'> {
  readonly label: string;
  /** What the tooltip says where it is more than the label. */
  readonly hint?: string;
  readonly onClick: () => void;
}

/** A button that is an icon, and says beneath the pointer what it does. */
export function IconButton({ label, hint = label, ...button }: IconButtonProps) {
  return (
    <Tooltip label={hint}>
      <ActionIcon aria-label={label} {...button} />
    </Tooltip>
  );
}
