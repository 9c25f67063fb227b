/** What the browser shows at the end of a sign-in: no script, nothing loaded, nothing quoted from the request. */
export function signInPage(title: string, text: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title} - Chartkeeper</title>${head}</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
}
