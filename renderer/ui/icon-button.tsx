import { ActionIcon, Tooltip, type ActionIconProps, type ElementProps } from '@mantine/core';

interface IconButtonProps
  extends Omit<ActionIconProps, 'className'>, ElementProps<'button', keyof ActionIconProps> {
  readonly className?: string | undefined;
  /** What it is called. */
  readonly label: string;
  /** What its tooltip says; its name where absent. */
  readonly hint?: string;
}

/** A button of an icon alone, whose tooltip says what it does. */
export function IconButton({ label, hint = label, ...button }: IconButtonProps) {
  return (
    <Tooltip label={hint}>
      <ActionIcon aria-label={label} {...button} />
    </Tooltip>
  );
}
