/** Text as it is, not as Markdown. */
export function plainMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-!<>|]/g, '\\$&');
}
