import { Fragment, type ReactNode } from 'react';

interface MessageNodesProps {
  /** Message with placeholders, for example `Last counted {time}`. */
  readonly message: string;
  /** Elements by placeholder name. */
  readonly nodes: Readonly<Record<string, ReactNode>>;
}

/** A message with elements in place of its placeholders. Each language defines the order. */
export function MessageNodes({ message, nodes }: MessageNodesProps) {
  const parts = message.split(/\{(\w+)\}/);
  // Every second part is the name of a placeholder.
  return parts.map((part, index) => (
    <Fragment key={`${index} ${part}`}>{index % 2 === 0 ? part : (nodes[part] ?? `{${part}}`)}</Fragment>
  ));
}
