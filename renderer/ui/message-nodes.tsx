import { Fragment, type ReactNode } from 'react';

interface MessageNodesProps {
  /** A whole message with placeholders, such as `Last counted {time}`. */
  readonly message: string;
  /** Elements by the names of placeholders. */
  readonly nodes: Readonly<Record<string, ReactNode>>;
}

/** A message with elements in place of its placeholders, in the order of the language. */
export function MessageNodes({ message, nodes }: MessageNodesProps) {
  const parts = message.split(/\{(\w+)\}/);
  // Every second part is the name of a placeholder.
  return parts.map((part, index) => (
    <Fragment key={`${index} ${part}`}>{index % 2 === 0 ? part : (nodes[part] ?? `{${part}}`)}</Fragment>
  ));
}
