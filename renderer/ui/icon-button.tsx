import { ActionIcon, Tooltip, type ActionIconProps, type ElementProps } from '@mantine/core';

interface IconButtonProps
  extends Omit<ActionIconProps, 'className'>, ElementProps<'button', keyof ActionIconProps> {
  readonly className?: string | undefined;
  /** Accessible name. */
  readonly label: string;
  /** Tooltip; by default the label. */
  readonly hint?: string;
}

/** Button with only an icon and a tooltip. */
export function IconButton({ label, hint = label, ...button }: IconButtonProps) {
  return (
    <Tooltip label={hint}>
      <ActionIcon aria-label={label} {...button} />
    </Tooltip>
  );
}
