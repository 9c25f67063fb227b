import { Fragment, type ReactNode } from 'react';
import type { MarkedToken, Token } from 'marked';
import { LinkButton } from '../../ui/link-button.tsx';
import { pictureOf, pictureSize } from './guide-pages.ts';

interface GuideTextProps {
  readonly tokens: readonly Token[];
  /** Opens another page of the guide by its file name. */
  readonly onPage: (id: string) => void;
}

/** Renders Markdown. Unsupported tokens appear as text. */
export function GuideText({ tokens, onPage }: GuideTextProps): ReactNode {
  const renderChildren = (children: readonly Token[] = []) => <GuideText tokens={children} onPage={onPage} />;
  return tokens.map((token, index) => (
    <Fragment key={index}>{renderToken(token as SupportedToken, renderChildren, onPage)}</Fragment>
  ));
}

type SupportedToken = Extract<
  MarkedToken,
  { type: 'paragraph' | 'list' | 'image' | 'link' | 'strong' | 'codespan' | 'text' | 'space' }
>;

function renderToken(
  token: SupportedToken,
  inner: (tokens?: readonly Token[]) => ReactNode,
  onPage: (id: string) => void,
): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{inner(token.tokens)}</p>;
    case 'list': {
      const List = token.ordered ? 'ol' : 'ul';
      return (
        <List>
          {token.items.map((item, index) => (
            <li key={index}>{inner(item.tokens)}</li>
          ))}
        </List>
      );
    }
    case 'image':
      return <img src={pictureOf(token.href)} alt={token.text} {...pictureSize} />;
    case 'link':
      return <LinkButton onClick={() => onPage(token.href)}>{inner(token.tokens)}</LinkButton>;
    case 'strong':
      return <strong>{inner(token.tokens)}</strong>;
    case 'codespan':
      return <code>{token.raw.replaceAll('`', '')}</code>;
    case 'text':
      return token.tokens ? inner(token.tokens) : token.raw;
    case 'space':
      return null;
    default:
      return (token as Token).raw;
  }
}
