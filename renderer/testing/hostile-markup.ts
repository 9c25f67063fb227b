/** For tests only: known hostile markup. */

/** Script of each payload; it reports that it ran. */
const run = `parent.planted('ran')`;
const svg = 'http://www.w3.org/2000/svg';

/** Known attacks of foreign markup. Each has a text next to it that must stay visible. */
export const hostile = {
  script: `<script>${run}</script><script src="/planted/script.js"></script>kept`,
  'event handlers': `<p onclick="${run}">kept</p><img src="/planted/none.png" onerror="${run}"/><details open="" ontoggle="${run}">more</details>`,
  'handlers that focus or animation start': `<input autofocus="" onfocus="${run}"/><style>@keyframes a{}</style><b style="animation-name:a" onanimationstart="${run}">kept</b>`,
  'handlers between odd characters': `<img/src="/planted/odd.png"/onerror=${run}>kept<svg/onload=${run}>`,
  'javascript addresses': `<a href="javascript:${run}">kept</a><a href="java&#10;script:${run}">too</a><iframe src="javascript:${run}"></iframe>`,
  links: `<a href="https://planted.invalid/" target="_top">kept</a><a href="#planted">too</a><q cite="/planted/cite">three</q><img src="data:image/png;base64,iVBORw0KGgo=" longdesc="/planted/long"/>`,
  'data addresses': `<iframe src="data:text/html,<script>${run}</script>"></iframe><a href="data:text/html,x">kept</a><img src="data:image/svg+xml,<svg xmlns='${svg}'/>"/><object data="data:text/html,x"></object>`,
  'styles that load': `<p style="background:url(/planted/style.png)">kept</p><p style="background-image:image-set('/planted/set.png' 1x)">too</p><p style="background:u\\72l(/planted/escaped.png)">three</p>`,
  'style sheets': `<style>@import '/planted/import.css'; p{background:url(/planted/sheet.png)}</style><link rel="stylesheet" href="/planted/link.css"/>kept`,
  'sources of images': `<img srcset="/planted/set.png 1x" src="/planted/src.png"/><picture><source srcset="/planted/source.png"/><img src="/planted/picture.png" alt=""/></picture>kept<img src="//planted.invalid/x.png" longdesc="/planted/long"/>`,
  'media and embeds': `<video src="/planted/video" poster="/planted/poster.png"></video><audio src="/planted/audio"></audio><embed src="/planted/embed"/><object data="/planted/object"></object><applet code="planted"></applet>kept`,
  'background attributes': `<table background="/planted/table.png"><tbody><tr><td background="/planted/cell.png">kept</td></tr></tbody></table>`,
  frames: `<iframe src="/planted/frame"></iframe><iframe srcdoc="&lt;script&gt;${run}&lt;/script&gt;"></iframe><frameset><frame src="/planted/frameset"/></frameset>kept`,
  'base and meta': `<base href="/planted/base/"/><meta http-equiv="refresh" content="0;url=/planted/refresh"/><meta http-equiv="Content-Security-Policy" content="default-src *"/><img src="relative.png"/>kept`,
  forms: `<form action="/planted/form"><input name="a" value="b"/><button formaction="/planted/button">send</button><input type="image" src="/planted/image.png"/></form><isindex action="/planted/index"/>kept`,
  'SVG that loads': `<svg xmlns="${svg}" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="/planted/svg.png" href="/planted/svg2.png"/><use xlink:href="/planted/use.svg#a"/><a xlink:href="javascript:${run}"><text>in</text></a><script>${run}</script><animate onbegin="${run}" attributeName="x"/></svg>kept`,
  'namespace confusion': `<svg xmlns="${svg}"><foreignObject><div xmlns="http://www.w3.org/1999/xhtml"><img src="/planted/foreign.png" onerror="${run}"/></div></foreignObject><desc><style><img src="/planted/desc.png" onerror="${run}"></style></desc></svg>kept`,
  'mutation by MathML': `kept<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=/planted/m1.png onerror=${run}&gt;">`,
  'mutation by a form': `kept<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=${run} src=/planted/m2.png>">`,
  'mutation by raw text': `<noscript><p title="</noscript><img src=/planted/m3.png onerror=${run}>"></p></noscript><textarea><p title="</textarea><img src=/planted/m4.png onerror=${run}>"></p></textarea><xmp><p title="</xmp><img src=/planted/m5.png onerror=${run}>"></p></xmp>kept`,
  'mutation by comments': `<!--><img src="/planted/m6.png" onerror="${run}">--><!--!><img src="/planted/m7.png" onerror="${run}">--><![CDATA[><img src="/planted/m8.png" onerror="${run}">]]>kept`,
  'mutation by select': `<svg><selectedcontent></selectedcontent></svg><select><button><selectedcontent></selectedcontent></button><option><img src="/planted/m9.png" onerror="${run}"/></option></select>kept`,
  templates: `<template><img src="/planted/t1.png" onerror="${run}"/></template><div><template shadowrootmode="open"><img src="/planted/t2.png" onerror="${run}"/></template>kept</div>`,
  'names that clobber': `<a id="body" name="cookie">kept</a><img name="createElement" id="attributes" src="data:image/png;base64,iVBORw0KGgo="/><form id="documentElement"><input name="parentNode" id="attributes"/></form>`,
  'custom elements': `<x-planted is="script" onclick="${run}">kept</x-planted><p is="x-planted">too</p>`,
  depth: `${'<div>'.repeat(600)}kept${'</div>'.repeat(600)}`,
} as const;
