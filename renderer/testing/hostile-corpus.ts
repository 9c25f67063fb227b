/**
 * For tests only: generates hostile markup from a seed. Combines payloads that could run or load with contexts that
 * parsers and sanitizers have read differently: foreign namespaces, raw text, comments, templates, tables and forms.
 */
import fc from 'fast-check';

/** Script of each payload; it reports that it ran. */
const run = "parent.planted('ran')";
const svg = 'http://www.w3.org/2000/svg';
const mathml = 'http://www.w3.org/1998/Math/MathML';
const xhtml = 'http://www.w3.org/1999/xhtml';
const xlink = 'http://www.w3.org/1999/xlink';

/** URLs that run or load, plain and in disguises that browsers decode. */
const addresses = [
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  `java&#9;scr&#10;ipt:${run}`,
  `&#1;javascript:${run}`,
  `&#x6A;avascript&colon;${run}`,
  `javascript://%0a${run}`,
  `vbscript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `data:text/html;base64,PHNjcmlwdD5wYXJlbnQucGxhbnRlZCgncmFuJyk8L3NjcmlwdD4=`,
  `data:image/svg+xml,<svg xmlns='${svg}' onload='${run}'/>`,
  '/planted/address',
  '//planted.invalid/address',
  'https://planted.invalid/address',
  '\\\\planted.invalid\\address',
];

/** Attributes from which browsers have read URLs, and elements with such attributes. */
const attributes = [
  'href',
  'src',
  'srcset',
  'xlink:href',
  'action',
  'formaction',
  'data',
  'poster',
  'background',
  'cite',
  'longdesc',
  'usemap',
  'lowsrc',
  'dynsrc',
  'manifest',
  'archive',
  'codebase',
  'classid',
  'icon',
  'profile',
  'ping',
  'srcdoc',
  'style',
  'imagesrcset',
  'attributionsrc',
  'from',
  'to',
  'values',
  'content',
  'is',
];
const elements = [
  'a',
  'area',
  'img',
  'image',
  'input type="image"',
  'button',
  'form',
  'iframe',
  'embed',
  'object',
  'link',
  'video',
  'audio',
  'source',
  'track',
  'table',
  'td',
  'body',
  'blockquote',
  'svg',
  'use',
  'set',
  'math',
  'div',
  'maction',
  'mglyph',
  'base',
  'script',
  'frame',
  'portal',
  'isindex',
  'bgsound',
  'fencedframe',
  'meta',
];

const handlers = [
  'onload',
  'onerror',
  'onfocus',
  'ontoggle',
  'onanimationstart',
  'onbegin',
  'onpageshow',
  'onresize',
  'onclick',
  'onpointerover',
  'onscrollend',
  'oncontentvisibilityautostatechange',
  'ONERROR',
  'on\u212Ajack',
];

/** Markup that runs or loads by itself. */
const payloads: readonly string[] = [
  `<script>${run}</script>`,
  `<script src="/planted/script.js"></script>`,
  `<img src="/planted/i.png" onerror="${run}">`,
  `<img src=x onerror=${run}//`,
  `<img srcset="/planted/s.png 1x, /planted/s2.png 2x">`,
  `<picture><source srcset="/planted/p.png"><img src="/planted/p2.png"></picture>`,
  `<svg onload="${run}"><image href="/planted/si.png" xlink:href="/planted/si2.png"/></svg>`,
  `<svg><use href="/planted/u.svg#a" xlink:href="data:image/svg+xml,<svg id='a' xmlns='${svg}'/>#a"/></svg>`,
  `<svg><a xlink:href="javascript:${run}"><text y="9">a</text></a><animate attributeName="href" values="javascript:${run}"/></svg>`,
  `<svg><script href="/planted/ss.js"/><set attributeName="onclick" to="${run}"/></svg>`,
  `<svg><style>@import "/planted/si.css"; *{background:url(/planted/sb.png)}</style></svg>`,
  `<svg><filter><feImage href="/planted/fe.png"/></filter></svg>`,
  `<math href="javascript:${run}"><maction actiontype="statusline#a" xlink:href="javascript:${run}">a</maction></math>`,
  `<math><annotation-xml encoding="text/html"><img src="/planted/ma.png" onerror="${run}"></annotation-xml></math>`,
  `<style>@import url(/planted/im.css); p{background:url("/planted/bg.png")}</style>`,
  `<link rel="stylesheet" href="/planted/l.css"><link rel="import" href="/planted/import.html">`,
  `<link rel="preload" as="script" href="/planted/pre.js"><link rel="icon" href="/planted/icon.png">`,
  `<meta http-equiv="refresh" content="0; url=/planted/refresh">`,
  `<meta http-equiv="refresh" content="0; url=javascript:${run}">`,
  `<base href="https://planted.invalid/"><img src="planted.png">`,
  `<object data="/planted/o" type="text/html"><param name="movie" value="/planted/p.swf"></object>`,
  `<embed src="/planted/e" type="image/svg+xml">`,
  `<iframe src="/planted/f"></iframe><iframe srcdoc="&lt;script&gt;parent.${run}&lt;/script&gt;"></iframe>`,
  `<iframe src="javascript:${run}"></iframe>`,
  `<video src="/planted/v" poster="/planted/po.png" autoplay></video><audio src="/planted/a" autoplay></audio>`,
  `<video><source onerror="${run}" src="/planted/vs"><track default src="/planted/t.vtt"></video>`,
  `<body onload="${run}" background="/planted/body.png">`,
  `<details open ontoggle="${run}">d</details>`,
  `<input autofocus onfocus="${run}"><select autofocus onfocus="${run}"></select>`,
  `<style>@keyframes k{}</style><i style="animation-name:k" onanimationstart="${run}">i</i>`,
  `<marquee onstart="${run}">m</marquee>`,
  `<form action="javascript:${run}"><button formaction="/planted/fa">b</button><input type=image src="/planted/in.png"></form>`,
  `<form id="parentNode"><input name="attributes"><input name="nodeName"><img name="childNodes" src="/planted/cl.png" onerror="${run}"></form>`,
  `<a id="defaultView" name="body" href="cid:onerror">a</a><img id="implementation" name="createNodeIterator" src="/planted/cb.png">`,
  `<p style="background:url(/planted/st.png);list-style:url(/planted/ls.png);-moz-binding:url(/planted/x.xml#a);behavior:url(/planted/x.htc);width:expression(${run})">p</p>`,
  `<x:script xmlns:x="${xhtml}">${run}</x:script>`,
  `<template><script>${run}</script><img src="/planted/te.png" onerror="${run}"></template>`,
  `<div><template shadowrootmode="open"><style>@import "/planted/sh.css"</style><img src="/planted/sr.png" onerror="${run}"></template></div>`,
];

/** Contexts around a payload: the markup before and after. */
const contexts: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['<svg>', '</svg>'],
  [`<svg xmlns="${svg}" xmlns:xlink="${xlink}"><desc>`, '</desc></svg>'],
  ['<svg><title>', '</title></svg>'],
  ['<svg><foreignObject>', '</foreignObject></svg>'],
  ['<svg></p><style><a id="</style>', '">'],
  ['<svg><style>', '</style></svg>'],
  ['<svg><![CDATA[', ']]></svg>'],
  [`<math xmlns="${mathml}">`, '</math>'],
  ['<math><mtext>', '</mtext></math>'],
  ['<math><mtext><table><mglyph><style><!--</style>', '-->'],
  ['<math><mtext><mglyph><svg><mtext><style><path id="</style>', '">'],
  ['<math><mi><malignmark><style>', '</style></malignmark></mi></math>'],
  ['<math><annotation-xml encoding="application/xhtml+xml">', '</annotation-xml></math>'],
  ['<form><math><mtext></form><form><mglyph><style></math>', '</style></mglyph></form>'],
  ['<noscript><p title="</noscript>', '"></p></noscript>'],
  ['<noembed><p title="</noembed>', '"></noembed>'],
  ['<noframes><p title="</noframes>', '"></noframes>'],
  ['<xmp><p title="</xmp>', '"></xmp>'],
  ['<textarea><p title="</textarea>', '"></textarea>'],
  ['<title><p title="</title>', '"></title>'],
  ['<style><p title="</style>', '"></style>'],
  ['<iframe><p title="</iframe>', '"></iframe>'],
  ['<select><option>', '</option></select>'],
  ['<select><template>', '</template></select>'],
  ['<template>', '</template>'],
  ['<div><template shadowrootmode="closed">', '</template></div>'],
  ['<table><tr><td>', '</td></tr></table>'],
  ['<table>', '</table>'],
  ['<table><caption><svg><title>', '</title></svg></caption></table>'],
  ['<!--', '-->'],
  ['<!-->', '-->'],
  ['<!--a--!>', '-->'],
  ['<!--<!-- -->', '-->'],
  ['<![CDATA[>', ']]>'],
  ['<?xml-stylesheet href="/planted/xsl">', '?>'],
  ['<!DOCTYPE x [<!ENTITY e SYSTEM "/planted/entity">]>', '&e;'],
  ['</p></div></body></html>', ''],
  ['<p><p><a><a>', '</a></a>'],
  ['<b><i></b>', '</i>'],
  ['<dialog open><div popover>', '</div></dialog>'],
  ['<div><svg><foreignObject>'.repeat(60), ''],
  ['<x-planted>', '</x-planted>'],
  ['<img alt="`><', '`">'],
  ["<p title='>", "'>"],
];

const address = fc
  .tuple(fc.constantFrom(...elements), fc.constantFrom(...attributes), fc.constantFrom(...addresses))
  .map(([element, attribute, value]) => `<${element} ${attribute}="${value}" rel="stylesheet">x`);

const handler = fc
  .tuple(
    fc.constantFrom(...elements),
    fc.constantFrom(...handlers),
    fc.constantFrom(' ', '/', '\n', '"', "'x'"),
  )
  .map(([element, name, gap]) => `<${element}${gap}${name}=${run} src=/planted/h>x`);

const thing = fc.oneof(
  { arbitrary: fc.constantFrom(...payloads), weight: 3 },
  { arbitrary: address, weight: 2 },
  { arbitrary: handler, weight: 1 },
);

const nested = fc
  .tuple(fc.array(fc.constantFrom(...contexts), { minLength: 0, maxLength: 3 }), thing)
  .map(([around, inner]) =>
    around.reduceRight((markup, [before, after]) => `${before}${markup}${after}`, inner),
  );

/** Returns each payload, each context with one payload, and random nestings. The same seed gives the same corpus. */
export function hostileCorpus(seed: number, sampleCount: number): readonly string[] {
  const wrapped = contexts.map(
    ([before, after], index) => `${before}${payloads[index % payloads.length]}${after}`,
  );
  return [...payloads, ...wrapped, ...fc.sample(nested, { seed, numRuns: sampleCount })];
}
